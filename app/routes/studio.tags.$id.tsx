import { TextInput } from "@mantine/core";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { requestLink } from "#app/adapters/email-link.server.ts";
import { count } from "#app/counts.ts";
import { deleteTag, findEditableTag } from "#app/domain/catalog/edit/names/edit-tags.server.ts";
import { paths } from "#app/paths.ts";
import { INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { historyOf } from "#app/ui/studio/audit/audit-texts.ts";
import { shownAnswer } from "#app/ui/studio/field-texts.ts";
import styles from "#app/ui/studio/item/item.module.css";
import { ItemHistory } from "#app/ui/studio/item/item-history.tsx";
import { RefusalSummary } from "#app/ui/studio/item/refusal-summary.tsx";
import { editedSections, SectionForm } from "#app/ui/studio/item/section-form.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { DeleteSection, MergeSection } from "#app/ui/studio/names/ending-sections.tsx";
import {
  CONFIRM,
  type NamePageAnswer,
  NO_NAME_ANSWER,
  namePageErrors,
} from "#app/ui/studio/names/name-refusals.ts";
import nameStyles from "#app/ui/studio/names/names.module.css";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import "#app/ui/theme/mantine.css";
import { confirmInForm } from "#app/web/forms/confirm-in-form.server.ts";
import { answerTag, repeatTag, type TagAnswer } from "#app/web/forms/creator-form.server.ts";
import { field, hasTick, readStaffForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteTime } from "#app/web/pages/site-facts.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { findNamePage, leadToTarget } from "#app/web/studio/name-page.server.ts";

type TagPageAnswer = NamePageAnswer<ReturnType<typeof shownAnswer<TagAnswer>>>;

export { keepTyped as shouldRevalidate };

export const meta: MetaFunction<typeof loader> = ({ data: page }) =>
  pageMeta({ title: page?.name ?? "Not found", robots: "noindex" });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const { id = "" } = params;
  const tag = await findEditableTag(id);
  if (tag === null) throw await leadToTarget("tag", id, paths.studioTag);
  const { entries, ...shared } = await findNamePage(member, "tag", tag.id);
  return {
    ...tag,
    ...shared,
    items: { to: paths.studioMedia({ tag: tag.slug }), text: count(tag.works, "item") },
    site: paths.list("video", { tag: tag.slug }),
    history: historyOf(entries, siteTime),
    saved: new URL(request.url).searchParams.get("saved"),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const { id = "" } = params;
  const form = await readStaffForm(request);
  const confirmation = await confirmInForm(request, member, form, {
    stepUp: "studio",
    next: paths.studioTag(id),
    sendLink: requestLink,
  });
  const { headers } = confirmation;
  const name = field(form, "section");
  const isTicked = hasTick(form);
  if (!confirmation.isConfirmed) {
    const repeated = name === "text" ? repeatTag(form) : null;
    const answer: TagPageAnswer = {
      ...NO_NAME_ANSWER,
      section: repeated === null ? undefined : shownAnswer(repeated, siteTime),
      deletion: name === "delete" ? { isTicked, error: undefined } : undefined,
      code: { section: name, request: confirmation.code },
    };
    return data<TagPageAnswer>(answer, { status: 403, headers });
  }
  const refuse = (answer: Partial<TagPageAnswer>, status = 422) => {
    const errorId = logRefusal(request, `tag: ${name === "delete" ? "delete" : "rename"}`);
    return data<TagPageAnswer>({ ...NO_NAME_ANSWER, ...answer, errorId }, { status, headers });
  };
  const actor = actorOf(member);
  if (name === "delete") {
    const error = isTicked ? await deleteTag(actor, id) : CONFIRM;
    if (error !== null) return refuse({ deletion: { isTicked, error } });
    return redirect(paths.studioTags({ saved: "deleted" }), { status: 303, headers });
  }
  const answer = name === "text" ? await answerTag(actor, id, form) : "incomplete";
  if (answer === "saved") {
    return redirect(`${paths.studioTag(id, { saved: "text" })}#text`, { status: 303, headers });
  }
  if (answer === "incomplete") return refuse({ error: INCOMPLETE });
  return refuse({ section: shownAnswer(answer, siteTime) }, answer.conflicts.length > 0 ? 409 : 422);
}

export default function StudioTagPage() {
  const page = useLoaderData<typeof loader>();
  const sent = useActionData<TagPageAnswer>();
  const refusals = useMemo(() => (sent === undefined ? [] : namePageErrors(sent)), [sent]);
  const saved = sent === undefined ? page.saved : null;
  const action = paths.studioTag(page.id);
  const { codeFor, section } = editedSections({ action, hasOutbox: page.hasOutbox, saved, sent });
  const text = section("text", { name: page.name });
  return (
    <StudioFrame title={page.name} about="Visitors filter the lists by this tag.">
      <div className={styles.page}>
        <RefusalSummary problems={refusals} errorId={sent?.errorId} />
        <p className={nameStyles.heading}>
          <Link to={page.items.to}>{page.items.text}</Link>
          <Link to={page.site}>Its videos on the site</Link>
        </p>
        {saved === "merged" && <p role="status">The two tags are merged.</p>}
        <FormSection
          id="text"
          title="Name"
          about={
            <p>
              A new name changes the address of its lists. Old addresses redirect there, and imports with an
              old name find this tag.
            </p>
          }
          done={saved === "text" ? "The name is saved." : undefined}
        >
          <SectionForm name="text" {...text}>
            {({ name }) => (
              <TextInput
                id="text-name"
                name="name"
                label="Name"
                defaultValue={name}
                maxLength={page.limits.name}
                error={text.errors.name}
                autoComplete="off"
                size="md"
                required
                withAsterisk={false}
              />
            )}
          </SectionForm>
        </FormSection>
        <MergeSection
          kind="tag"
          id={page.id}
          typed=""
          typedLength={page.limits.typed}
          error={undefined}
          suggested={page.suggested}
        />
        <DeleteSection
          action={action}
          about={
            page.works === 0
              ? "No item has this tag."
              : `${count(page.works, "item")} ${page.works === 1 ? "has" : "have"} this tag and would lose it.`
          }
          mayDelete
          tick={`Yes, delete this tag${page.works === 0 ? "" : ` and remove it from ${count(page.works, "item")}`}`}
          isTicked={sent?.deletion?.isTicked ?? false}
          error={sent?.deletion?.error}
          code={codeFor("delete")}
          hasOutbox={page.hasOutbox}
        />
        <ItemHistory entries={page.history} all={page.allEntries} timeZone={page.timeZone} subject="tag" />
      </div>
    </StudioFrame>
  );
}
