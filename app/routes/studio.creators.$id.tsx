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
import type { CreatorSection } from "#app/domain/catalog/edit/names/creator-sections.ts";
import { deleteCreator, findEditableCreator } from "#app/domain/catalog/edit/names/edit-creators.server.ts";
import { removePortrait, savePortrait } from "#app/domain/catalog/edit/names/portraits.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import { type Prose, parseDescription } from "#app/ui/prose/markdown.ts";
import { historyOf } from "#app/ui/studio/audit/audit-texts.ts";
import { shownAnswer } from "#app/ui/studio/field-texts.ts";
import styles from "#app/ui/studio/item/item.module.css";
import { ItemHistory } from "#app/ui/studio/item/item-history.tsx";
import { RefusalSummary } from "#app/ui/studio/item/refusal-summary.tsx";
import type { RefusalLine } from "#app/ui/studio/item/refusals.ts";
import { editedSections } from "#app/ui/studio/item/section-form.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { AliasesSection, CreatorTextSection, LinksSection } from "#app/ui/studio/names/creator-forms.tsx";
import { DeleteSection, MergeSection } from "#app/ui/studio/names/ending-sections.tsx";
import {
  CONFIRM,
  type NamePageAnswer,
  NO_NAME_ANSWER,
  nameErrors,
  namePageErrors,
} from "#app/ui/studio/names/name-refusals.ts";
import nameStyles from "#app/ui/studio/names/names.module.css";
import { PortraitSection } from "#app/ui/studio/names/portrait-section.tsx";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { confirmInForm } from "#app/web/forms/confirm-in-form.server.ts";
import {
  answerCreator,
  type CreatorAnswer,
  creatorSectionIn,
  repeatCreator,
} from "#app/web/forms/creator-form.server.ts";
import { field, hasTick, isUpload, readStaffForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { readPictureForm, savePicture } from "#app/web/forms/picture-upload.server.ts";
import { text } from "#app/web/forms/section-form.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts, siteTime } from "#app/web/pages/site-facts.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { findNamePage, leadToTarget } from "#app/web/studio/name-page.server.ts";

interface CreatorPageAnswer extends NamePageAnswer<ReturnType<typeof shownAnswer<CreatorAnswer>>> {
  preview: Prose[] | undefined;
  upload: { alt: string; errors: Record<string, string> } | undefined;
}

const NO_ANSWER: CreatorPageAnswer = { ...NO_NAME_ANSWER, preview: undefined, upload: undefined };

export { keepTyped as shouldRevalidate };

export const meta: MetaFunction<typeof loader> = ({ data: page }) =>
  pageMeta({ title: page?.name ?? "Not found", robots: "noindex" });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const { id = "" } = params;
  const creator = await findEditableCreator(id);
  if (creator === null) throw await leadToTarget("creator", id, paths.studioCreator);
  const { entries, ...shared } = await findNamePage(member, "creator", creator.id);
  return {
    ...creator,
    ...shared,
    site: paths.creator(creator.slug),
    items: { to: paths.studioMedia({ creator: creator.slug }), text: count(creator.works, "work") },
    addressStart: siteFacts.origin + paths.creator(""),
    history: historyOf(entries, siteTime),
    saved: new URL(request.url).searchParams.get("saved"),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const { id = "" } = params;
  const read = isUpload(request)
    ? await readPictureForm(member.user.id, request)
    : { form: await readStaffForm(request) };
  if ("error" in read) {
    const upload = { alt: "", errors: { file: read.error } };
    const answer = { ...NO_ANSWER, upload, errorId: logRefusal(request, "creator: upload") };
    return data<CreatorPageAnswer>(answer, { status: read.status });
  }
  const { form } = read;
  const confirmation = await confirmInForm(request, member, form, {
    stepUp: "studio",
    next: paths.studioCreator(id),
    sendLink: requestLink,
  });
  const { headers } = confirmation;
  if (!confirmation.isConfirmed) {
    const answer = {
      ...repeatForm(form),
      code: { section: field(form, "section"), request: confirmation.code },
    };
    return data<CreatorPageAnswer>({ ...NO_ANSWER, ...answer }, { status: 403, headers });
  }
  const outcome = await answerForm(actorOf(member), id, form);
  if (typeof outcome === "string") return redirect(outcome, { status: 303, headers });
  const { status, ...answer } = outcome;
  const errorId = status === 200 ? undefined : logRefusal(request, `creator: ${field(form, "section")}`);
  return data<CreatorPageAnswer>({ ...NO_ANSWER, ...answer, errorId }, { status, headers });
}

type Refused = Partial<CreatorPageAnswer> & { status: number };

/** A string is the address to go to next. */
async function answerForm(actor: Actor, id: string, form: FormData): Promise<string | Refused> {
  const done = (saved: string, anchor = saved) => `${paths.studioCreator(id, { saved })}#${anchor}`;
  const section = creatorSectionIn(form);
  if (section !== null) {
    const answer = await answerCreator(actor, id, section, form);
    if (answer === "saved") return done(section);
    if (answer === "incomplete") return { status: 422, error: INCOMPLETE };
    const preview = answer.step === "preview" ? parseDescription(field(form, "bio")) : undefined;
    const refusal = answer.conflicts.length > 0 ? 409 : 422;
    return {
      status: answer.step === "save" ? refusal : 200,
      section: shownAnswer(answer, siteTime),
      preview,
    };
  }
  switch (field(form, "section")) {
    case "upload":
      return answerUpload(actor, id, form, done("upload", "portrait"));
    case "removal": {
      const error = await removePortrait(actor, id);
      return error === null ? done("removal", "portrait") : { status: 422, error };
    }
    case "delete": {
      const isTicked = hasTick(form);
      const error = isTicked ? await deleteCreator(actor, id) : CONFIRM;
      if (error === null) return paths.studioCreators({ saved: "deleted" });
      return { status: 422, deletion: { isTicked, error } };
    }
    default:
      return { status: 422, error: INCOMPLETE };
  }
}

async function answerUpload(
  actor: Actor,
  id: string,
  form: FormData,
  done: string,
): Promise<string | Refused> {
  const alt = text(form, "portraitAlt");
  let errors: Record<string, string> | null = null;
  const refused = await savePicture(form.get("picture"), async (bytes) => {
    errors = await savePortrait(actor, id, bytes, alt);
  });
  if (refused !== null) return { status: refused.status, upload: { alt, errors: { file: refused.error } } };
  return errors === null ? done : { status: 422, upload: { alt, errors } };
}

function repeatForm(form: FormData): Partial<CreatorPageAnswer> {
  const section = creatorSectionIn(form);
  if (section !== null) {
    const answer = repeatCreator(section, form);
    return answer === null ? { error: INCOMPLETE } : { section: shownAnswer(answer, siteTime) };
  }
  const isTicked = hasTick(form);
  switch (field(form, "section")) {
    case "upload":
      return { upload: { alt: text(form, "portraitAlt"), errors: {} } };
    case "delete":
      return { deletion: { isTicked, error: undefined } };
    default:
      return {};
  }
}

export default function StudioCreatorPage() {
  const page = useLoaderData<typeof loader>();
  const sent = useActionData<CreatorPageAnswer>();
  const refusals = useMemo(() => refusalsIn(sent), [sent]);
  const saved = sent === undefined ? page.saved : null;
  const { limits, hasOutbox } = page;
  const action = paths.studioCreator(page.id);
  const { codeFor, section: edited } = editedSections({ action, hasOutbox, saved, sent });
  const section = <Name extends CreatorSection>(name: Name) => edited(name, page.values[name]);
  return (
    <StudioFrame title={page.name}>
      <div className={styles.page}>
        <RefusalSummary problems={refusals} errorId={sent?.errorId} />
        <p className={nameStyles.heading}>
          <Link to={page.items.to}>{page.items.text}</Link>
          <Link to={page.site}>
            {page.isPublic ? "View the page" : "View the page, which only staff can see"}
          </Link>
        </p>
        {saved === "made" && (
          <p role="status">The creator is added. Visitors can see the page once something is published.</p>
        )}
        {saved === "merged" && <p role="status">The two creators are merged.</p>}
        <CreatorTextSection
          {...section("text")}
          limits={limits}
          preview={sent?.preview}
          addressStart={page.addressStart}
        />
        <AliasesSection {...section("aliases")} limits={limits} />
        <LinksSection {...section("links")} limits={limits} />
        <PortraitSection
          {...section("portrait")}
          page={action}
          portrait={page.portrait}
          limits={limits}
          upload={{
            alt: sent?.upload?.alt ?? "",
            errors: sent?.upload?.errors ?? {},
            code: codeFor("upload"),
          }}
          removalCode={codeFor("removal")}
          done={PORTRAIT_DONE[saved ?? ""]}
        />
        <MergeSection
          kind="creator"
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
              ? "This creator has no works. The page, its earlier addresses and the portrait will be deleted for good."
              : `You can only delete a creator without works. This one has ${count(page.works, "work")}.`
          }
          mayDelete={page.works === 0}
          tick="Yes, delete this creator for good"
          isTicked={sent?.deletion?.isTicked ?? false}
          error={sent?.deletion?.error}
          code={codeFor("delete")}
          hasOutbox={hasOutbox}
        />
        <ItemHistory
          entries={page.history}
          all={page.allEntries}
          timeZone={page.timeZone}
          subject="creator"
        />
      </div>
    </StudioFrame>
  );
}

const PORTRAIT_DONE: Record<string, string> = {
  upload: "The portrait is saved.",
  removal: "The portrait is removed.",
};

function refusalsIn(sent: CreatorPageAnswer | undefined): RefusalLine[] {
  if (sent === undefined) return [];
  const { upload } = sent;
  return [
    ...namePageErrors(sent),
    ...(upload === undefined ? [] : nameErrors({ section: "upload", errors: upload.errors, conflicts: [] })),
  ];
}
