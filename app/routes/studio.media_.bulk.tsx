import { Button, Group } from "@mantine/core";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { count } from "#app/counts.ts";
import { formatShortZoneTime } from "#app/dates.ts";
import { type ChangeValue, rightFor } from "#app/domain/catalog/edit/bulk/bulk-change.ts";
import { confirmBulk, findBulkChange, stopBulk } from "#app/domain/catalog/edit/bulk/bulk-changes.server.ts";
import { type BulkPreviewItem, previewBulk } from "#app/domain/catalog/edit/bulk/bulk-preview.server.ts";
import type { FieldValue } from "#app/domain/catalog/edit/item/sections.ts";
import { problemText } from "#app/domain/catalog/edit/problems/problems.ts";
import { parseStudioFilters, studioQuery } from "#app/domain/catalog/edit/studio-list/studio-filters.ts";
import { ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { FormError, INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { fieldText } from "#app/ui/studio/field-texts.ts";
import { BulkProgress } from "#app/ui/studio/list/bulk-progress.tsx";
import { changeTitle } from "#app/ui/studio/list/change-choices.ts";
import { ChangePreview } from "#app/ui/studio/list/change-preview.tsx";
import { ChangeValueField } from "#app/ui/studio/list/change-value-field.tsx";
import styles from "#app/ui/studio/list/list.module.css";
import { TooOldNote } from "#app/ui/studio/part-form.tsx";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import "#app/ui/theme/mantine.css";
import { type ChosenChange, readChange, readSelection } from "#app/web/forms/bulk-form.server.ts";
import { readStaffForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import {
  actorOf,
  assertFreshSignIn,
  hasFreshSignIn,
  type Member,
  requireStaff,
} from "#app/web/session/guards.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Change items", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const actor = actorOf(await requireStaff(request, "media.edit"));
  const { searchParams } = new URL(request.url);
  const running = searchParams.get("running");
  const back = paths.studioMedia(listIn(request));
  if (running !== null) return { ...(await progressOf(actor, running)), back };
  const chosen = readChange(searchParams);
  if (chosen === null) return { step: "choose", back, error: "Please choose what to change." } as const;
  const selection = readSelection(searchParams);
  if ("ids" in selection && selection.ids.length === 0) {
    return { step: "choose", back, error: "Please select the items to change." } as const;
  }
  const kept = [...searchParams].filter(([name, value]) => !TYPED.includes(name) && value !== "");
  const value = { ...shownChange(chosen), maxLength: maxLengthOf(chosen), kept, back };
  if (chosen.change === null) {
    const error = searchParams.has("value") ? UNREADABLE[chosen.needs ?? "name"] : null;
    return { step: "value", ...value, error } as const;
  }
  const preview = await previewBulk(actor, selection, chosen.change);
  if (preview.problem !== null) return { step: "value", ...value, error: preview.problem } as const;
  return {
    step: "preview",
    ...value,
    items: preview.items.map((item) => lineOf(item, chosen.timeZone)),
  } as const;
}

/** The filters of the list that the items were chosen in. */
function listIn(request: Request) {
  return studioQuery(parseStudioFilters(new URL(request.url).searchParams));
}

/** Fields of this page, beside those of the list. */
const TYPED = ["value", "timeZone"];

const UNREADABLE: Record<ChangeValue, string> = {
  name: "Please enter a name.",
  moment: "Please choose a date and a time.",
  reason: "Please give a reason.",
};

function maxLengthOf({ needs }: ChosenChange): number | undefined {
  return needs === null || needs === "moment" ? undefined : ITEM_LIMITS[needs];
}

export async function action({ request }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const form = await readStaffForm(request);
  if (form.get("intent") === "stop") return stop(request, member, String(form.get("running")));
  if (!hasFreshSignIn(member, "studio")) {
    logRefusal(request, "bulk change");
    return data({ isTooOld: true, error: undefined }, { status: 401 });
  }
  const chosen = readChange(form);
  const ids = form.getAll("id").filter((id) => typeof id === "string");
  if (chosen === null || chosen.change === null) return refuse(request, INCOMPLETE);
  const confirmed = await confirmBulk(actorOf(member), { ids }, chosen.change);
  if (confirmed.problem !== null) return refuse(request, confirmed.problem);
  return redirect(paths.studioBulk({ ...listIn(request), running: confirmed.id }), { status: 303 });
}

export default function StudioBulkPage() {
  const page = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (page.step === "progress") {
    return (
      <StudioFrame title={page.isDone ? "Items changed" : "Changing items"}>
        <FormError>{refused?.error}</FormError>
        <BulkProgress {...page} />
      </StudioFrame>
    );
  }
  if (page.step === "choose") {
    return (
      <StudioFrame title="Change items">
        <FormError>{page.error}</FormError>
        <p>
          <Link to={page.back}>Back to the items</Link>
        </p>
      </StudioFrame>
    );
  }
  const { choice, needs, typed, timeZone, maxLength, kept, back } = page;
  return (
    <StudioFrame title={changeTitle(choice)}>
      <FormError>{refused?.error}</FormError>
      {refused?.isTooOld && <TooOldNote />}
      {needs === null ? (
        page.step === "value" && <FormError>{page.error ?? undefined}</FormError>
      ) : (
        <Form method="get" action={paths.studioBulk()} className={styles.form}>
          {kept.map(([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ))}
          <ChangeValueField
            needs={needs}
            typed={typed}
            timeZone={timeZone}
            maxLength={maxLength}
            error={page.step === "value" ? page.error : null}
          />
          <Group gap="sm">
            <Button type="submit" variant={page.step === "preview" ? "default" : "filled"}>
              Preview the change
            </Button>
          </Group>
        </Form>
      )}
      {page.step === "preview" && (
        <>
          <ChangePreview items={page.items} />
          <Confirmation {...page} />
        </>
      )}
      <p>
        <Link to={back}>Back to the items</Link>
      </p>
    </StudioFrame>
  );
}

interface ConfirmationProps {
  choice: string;
  typed: string;
  timeZone: string;
  items: { id: string; isChanged: boolean; missing: string }[];
}

/** Sends the items of the preview, whatever matches the filters by then. */
function Confirmation({ choice, typed, timeZone, items }: ConfirmationProps) {
  const { search } = useLocation();
  const changed = items.filter(({ isChanged }) => isChanged);
  if (changed.length === 0) return null;
  const incomplete = changed.filter(({ missing }) => missing !== "").length;
  return (
    // With the query, so that a refused form stands below its preview again.
    <Form method="post" action={paths.studioBulk() + search} className={styles.form}>
      <input type="hidden" name="change" value={choice} />
      <input type="hidden" name="value" value={typed} />
      <input type="hidden" name="timeZone" value={timeZone} />
      {changed.map(({ id }) => (
        <input key={id} type="hidden" name="id" value={id} />
      ))}
      {incomplete > 0 && (
        <p>
          {count(incomplete, "item")} {incomplete === 1 ? "has" : "have"} problems, and would be published
          anyway.
        </p>
      )}
      <Group gap="sm">
        <SubmitButton busyLabel="Changing …">{`Change ${count(changed.length, "item")}`}</SubmitButton>
      </Group>
    </Form>
  );
}

/** An old sign-in leads to a new one, because this form holds nothing that could be lost. */
async function stop(request: Request, member: Member, id: string) {
  const page = paths.studioBulk({ ...listIn(request), running: id });
  assertFreshSignIn(request, member, "studio", page);
  const problem = await stopBulk(actorOf(member), id);
  return problem === null ? redirect(page, { status: 303 }) : refuse(request, problem);
}

async function progressOf(actor: Actor, id: string) {
  const change = await findBulkChange(id);
  if (change === null) throw new Response("Not Found", { status: 404 });
  const { total, done, changed, isDone, problems, changedItems } = change;
  const mayStop = !isDone && mayDo(actor, rightFor(change.change));
  const counts = { id, total, done, changed, isDone, mayStop, problems, changedItems };
  return { step: "progress", ...counts } as const;
}

function shownChange({ choice, needs, typed, timeZone }: ChosenChange) {
  return { choice, needs, typed, timeZone };
}

function lineOf(
  { id, title, field, before, after, publishAt, missed, missing, isChanged, problem: error }: BulkPreviewItem,
  zone: string,
) {
  const at = (moment: Date) => formatShortZoneTime(moment, zone);
  const text = (value: FieldValue) => fieldText(field, value, at);
  const why =
    (publishAt && ` for ${at(publishAt)}`) ??
    (missed && `, because its date has passed: ${at(missed)}`) ??
    "";
  const shown = { before: text(before), after: text(after) + why, missing: problemText(missing ?? []) };
  return { id, title, ...shown, isChanged, error };
}

function refuse(request: Request, error: string) {
  logRefusal(request, "bulk change");
  return data({ isTooOld: false, error }, { status: 422 });
}
