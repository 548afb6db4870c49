import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type ComponentProps, useMemo } from "react";
import { requestLink } from "#app/adapters/email-link.server.ts";
import { formatShortZoneTime, formatZoneTime } from "#app/dates.ts";
import type { SectionFields } from "#app/domain/catalog/edit/item/section-fields.ts";
import { SECTION_NAMES, type SectionName } from "#app/domain/catalog/edit/item/sections.ts";
import { findShoots } from "#app/domain/catalog/edit/item/shoots.server.ts";
import { makeDraftLink, revokeDraftLink } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import { parseSearch } from "#app/domain/catalog/lists/list-filters.ts";
import { paths } from "#app/paths.ts";
import { CODE_NEEDED, type RequestedCode } from "#app/ui/forms/code-field.tsx";
import { INCOMPLETE } from "#app/ui/forms/problem.tsx";
import { type Prose, parseDescription } from "#app/ui/prose/markdown.ts";
import { historyOf } from "#app/ui/studio/audit/audit-texts.ts";
import { fieldLabel, fieldText } from "#app/ui/studio/field-texts.ts";
import { AccessSection } from "#app/ui/studio/item/access-section.tsx";
import { ChaptersSection } from "#app/ui/studio/item/chapters-section.tsx";
import { CreditsSection } from "#app/ui/studio/item/credits-section.tsx";
import { DatesSection } from "#app/ui/studio/item/dates-section.tsx";
import { DraftLinksSection } from "#app/ui/studio/item/draft-links-section.tsx";
import { EncodingSection } from "#app/ui/studio/item/encoding-section.tsx";
import styles from "#app/ui/studio/item/item.module.css";
import { ItemHeading } from "#app/ui/studio/item/item-heading.tsx";
import { ItemHistory } from "#app/ui/studio/item/item-history.tsx";
import { ItemProblems, RefusalSummary } from "#app/ui/studio/item/item-problems.tsx";
import { OriginalsSection } from "#app/ui/studio/item/originals-section.tsx";
import { PhotosSection } from "#app/ui/studio/item/photos-section.tsx";
import { type ShownProblem, sectionProblems, transitionProblems } from "#app/ui/studio/item/refusals.ts";
import { isSavedName, stateMessage } from "#app/ui/studio/item/saved-messages.ts";
import { ShootSection } from "#app/ui/studio/item/shoot-section.tsx";
import { StateSection } from "#app/ui/studio/item/state-section.tsx";
import { TagsSection } from "#app/ui/studio/item/tags-section.tsx";
import { TextSection } from "#app/ui/studio/item/text-section.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { confirmInForm } from "#app/web/forms/confirm-in-form.server.ts";
import { answerEncoding } from "#app/web/forms/encoding-form.server.ts";
import { field, readIntent, readStaffForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import {
  answerSection,
  repeatSection,
  type SectionAnswer,
  sectionIn,
} from "#app/web/forms/item-form.server.ts";
import {
  answerTransition,
  repeatTransition,
  type TransitionAnswer,
} from "#app/web/forms/transition-form.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { findItemPage } from "#app/web/studio/item-page.server.ts";
import { findHistory } from "#app/web/studio/subject-history.server.ts";

/** Beyond every item. The database counts no further than a bigint. */
const LAST_PHOTO_PAGE = 10_000;

/** The answer to a form that does not lead back to the page. */
interface ItemAnswer {
  section: ReturnType<typeof shownAnswer> | undefined;
  transition: TransitionAnswer | undefined;
  /** For a form without one of its buttons, or a draft link of no draft. */
  incomplete: string | undefined;
  preview: Prose[] | undefined;
  found: ComponentProps<typeof ShootSection>["found"];
  /** For a form that was sent with a sign-in too old for it. */
  code: { section: string; link: string | null; intent: string; request: RequestedCode } | undefined;
  madeLink: { url: string; expires: string } | undefined;
  errorId: string | undefined;
}

const NO_ANSWER: ItemAnswer = {
  section: undefined,
  transition: undefined,
  incomplete: undefined,
  preview: undefined,
  found: undefined,
  code: undefined,
  madeLink: undefined,
  errorId: undefined,
};

export { keepTyped as shouldRevalidate };

export const meta: MetaFunction<typeof loader> = ({ data: page }) =>
  pageMeta({ title: page?.heading.title ?? "Not found", robots: "noindex" });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const { searchParams } = new URL(request.url);
  const wantedPage = Math.floor(Number(searchParams.get("photos"))) || 1;
  const photoPage = Math.min(LAST_PHOTO_PAGE, Math.max(1, wantedPage));
  const page = await findItemPage(actorOf(member), params.id ?? "", photoPage);
  if (page === null) throw new Response("Not Found", { status: 404 });
  const saved = searchParams.get("saved");
  const { entries, allEntries } = await findHistory(member, page.id);
  const at = (moment: Date) => formatShortZoneTime(moment, page.timeZone);
  return {
    ...page,
    history: historyOf(entries, at),
    allEntries,
    saved: isSavedName(saved, SECTION_NAMES) ? saved : null,
    hasOutbox: siteFacts.hasOutbox,
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const actor = actorOf(member);
  const id = params.id ?? "";
  const form = await readStaffForm(request);
  const { timeZone } = siteFacts;
  const confirmation = await confirmInForm(request, member, form, {
    stepUp: "studio",
    next: paths.studioItem(id),
    sendLink: requestLink,
  });
  const { headers } = confirmation;
  const section = field(form, "section");
  const photos = new URL(request.url).searchParams.get("photos") ?? undefined;
  const done = (saved: string, anchor = saved) =>
    redirect(`${paths.studioItem(id, { photos, saved })}#${anchor}`, { status: 303, headers });
  const refuse = (answer: Partial<ItemAnswer>, status = 422) =>
    data<ItemAnswer>(
      { ...NO_ANSWER, ...answer, errorId: logRefusal(request, `item: ${sectionIn(form) ?? "state"}`) },
      { status, headers },
    );

  if (!confirmation.isConfirmed) {
    const answer = await repeatForm(id, form);
    if (answer === null) return refuse({ incomplete: INCOMPLETE });
    const link = readIntent(form, ["revoke"]) === null ? null : field(form, "link");
    const intent = field(form, "intent");
    const code = { section, link, intent, request: confirmation.code };
    return data<ItemAnswer>({ ...NO_ANSWER, ...answer, code }, { status: 403, headers });
  }
  if (section === "state") {
    const outcome = await answerTransition(actor, id, form);
    if (outcome === "incomplete") return refuse({ incomplete: INCOMPLETE });
    if ("problem" in outcome) return refuse({ transition: outcome });
    if (outcome.done !== "delete") return done(outcome.done, "state");
    return redirect(paths.studioMedia(), { status: 303, headers });
  }
  if (section === "draftLinks") {
    if (readIntent(form, ["revoke"]) !== null) {
      await revokeDraftLink(actor, field(form, "link"));
      return done("revoked", "draftLinks");
    }
    const link = await makeDraftLink(actor, id);
    if (link === null) return refuse({ incomplete: "Only a draft can have a draft link." });
    const url = siteFacts.origin + paths.draft(link.token);
    const madeLink = { url, expires: formatZoneTime(link.expiresAt, timeZone) };
    return data<ItemAnswer>({ ...NO_ANSWER, madeLink }, { headers });
  }
  if (section === "encoding") {
    const problem = await answerEncoding(actor, id, form);
    if (problem === null) return done("encoding");
    return refuse({ incomplete: problem === "incomplete" ? INCOMPLETE : problem });
  }
  const name = sectionIn(form);
  const answer = name === null ? "incomplete" : await answerSection(actor, id, name, form);
  if (answer === "incomplete") return refuse({ incomplete: INCOMPLETE });
  if (answer === "saved") return done(name ?? "");
  if (answer.step === "save") {
    return refuse({ section: shownAnswer(answer) }, answer.conflicts.length > 0 ? 409 : 422);
  }
  const shown: Partial<ItemAnswer> = {
    section: shownAnswer(answer),
    preview: answer.step === "preview" ? parseDescription(field(form, "description")) : undefined,
    found: answer.step === "find" ? await foundIn(form, id) : undefined,
  };
  return data<ItemAnswer>({ ...NO_ANSWER, ...shown }, { headers });
}

export default function StudioItemPage() {
  const page = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  const saved = sent === undefined ? page.saved : null;
  const refusals = useMemo(() => refusalsIn(sent), [sent]);
  const { stored, timeZone, isDeleted } = page;
  const plan = sent?.transition?.publishAt
    ? { plan: sent.transition.publishAt, timeZone: sent.transition.timeZone }
    : { plan: page.state.plan, timeZone };
  const codeFor = (name: string) => (sent?.code?.section === name ? sent.code : undefined);
  /** The properties of one section, as stored or as it was sent last. */
  const section = <Name extends SectionName>(name: Name) => {
    const answer = sent?.section?.section === name ? sent.section : undefined;
    return {
      action: page.action,
      opened: answer?.opened ?? stored[name],
      fields: (answer?.fields ?? page.fields[name]) as SectionFields[Name],
      isSaved: saved === name,
      isRefused: answer?.step === "save" || answer?.step === "confirm",
      errors: answer?.errors ?? {},
      code: codeFor(name)?.request ?? null,
      hasOutbox: page.hasOutbox,
      conflicts: (answer?.conflicts ?? []).map((conflict) => ({
        ...conflict,
        label: fieldLabel(conflict.field, photoPositions(page)),
      })),
    };
  };
  return (
    <StudioFrame title={page.heading.title}>
      <div className={styles.page}>
        <RefusalSummary problems={refusals} errorId={sent?.errorId} />
        <ItemHeading {...page.heading} sections={sectionsOf(page)} />
        <ItemProblems problems={page.problems} />
        <StateSection
          {...page.state}
          action={page.action}
          isPlanned={page.state.plan !== ""}
          {...plan}
          reason={sent?.transition?.reason ?? ""}
          limits={page.limits}
          refused={sent?.transition}
          code={codeFor("state")?.request ?? null}
          hasOutbox={page.hasOutbox}
          done={stateMessage(saved, page.heading.state)}
        />
        {isDeleted ? null : (
          <>
            <TextSection {...section("text")} limits={page.limits} preview={sent?.preview} />
            <CreditsSection
              {...section("credits")}
              limits={page.limits}
              options={page.names.creators}
              credited={page.credited}
            />
            <TagsSection {...section("tags")} present={stored.tags.tags} options={page.names.tags} />
            <DatesSection {...section("dates")} mayChangeExpiry={page.mayChangeExpiry} />
            <AccessSection {...section("access")} />
            <ShootSection
              {...section("shoot")}
              present={stored.shoot.shoot}
              others={page.shoot}
              found={sent?.found}
              limits={page.limits}
            />
            {page.video && (
              <ChaptersSection {...section("chapters")} limits={page.limits} video={page.video} />
            )}
            {page.photos && <PhotosSection {...section("photos")} {...page.photos} limits={page.limits} />}
          </>
        )}
        {page.encoding && !isDeleted && (
          <EncodingSection
            {...page.encoding}
            action={page.action}
            isChanged={saved === "encoding"}
            code={codeFor("encoding") ?? null}
            hasOutbox={page.hasOutbox}
          />
        )}
        {isDeleted ? null : <OriginalsSection {...page.originals} />}
        {page.draftLinks && (
          <DraftLinksSection
            action={page.action}
            links={page.draftLinks}
            made={sent?.madeLink}
            lifetime={page.draftLinkLifetime}
            isRevoked={saved === "revoked"}
            code={codeFor("draftLinks")}
            hasOutbox={page.hasOutbox}
          />
        )}
        <ItemHistory entries={page.history} all={page.allEntries} timeZone={timeZone} />
      </div>
    </StudioFrame>
  );
}

/** The form that was sent, to be shown again with all that was typed; null for none of this page. */
async function repeatForm(id: string, form: FormData): Promise<Partial<ItemAnswer> | null> {
  const name = sectionIn(form);
  if (name !== null) {
    const answer = repeatSection(name, form);
    const found = name === "shoot" && field(form, "find") !== "" ? await foundIn(form, id) : undefined;
    return answer && { section: shownAnswer(answer), found };
  }
  if (["draftLinks", "encoding"].includes(field(form, "section"))) return {};
  const transition = field(form, "section") === "state" ? repeatTransition(form) : null;
  return transition && { transition };
}

async function foundIn(form: FormData, id: string): Promise<ItemAnswer["found"]> {
  const words = parseSearch(field(form, "find")) ?? "";
  return { words, items: words === "" ? [] : await findShoots(words, id) };
}

/** Both versions of each conflicting field as texts. */
function shownAnswer({ conflicts, ...answer }: SectionAnswer) {
  const at = (moment: Date) => formatShortZoneTime(moment, siteFacts.timeZone);
  const texts = conflicts.map(({ field: name, theirs, yours }) => ({
    field: name,
    theirs: fieldText(name, theirs, at),
    yours: fieldText(name, yours, at),
  }));
  return { ...answer, conflicts: texts };
}

function photoPositions({ photos }: ReturnType<typeof useLoaderData<typeof loader>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(photos?.pictures ?? {}).map(([id, { position }]) => [id, position]),
  );
}

function refusalsIn(sent: ItemAnswer | undefined): ShownProblem[] {
  if (sent === undefined) return [];
  const { section, transition, incomplete, code } = sent;
  const codeAt = transition === undefined ? code?.section : `state-${transition.transition}`;
  return [
    ...(code === undefined ? [] : [{ at: codeAt ?? null, sentence: CODE_NEEDED }]),
    ...(incomplete === undefined ? [] : [{ at: null, sentence: incomplete }]),
    ...(transition?.problem ? transitionProblems(transition.transition, transition.problem) : []),
    ...(section === undefined ? [] : sectionProblems(section)),
  ];
}

function sectionsOf(page: ReturnType<typeof useLoaderData<typeof loader>>) {
  const all = [
    ["state", "State", true],
    ["text", "Text", !page.isDeleted],
    ["credits", "Credits", !page.isDeleted],
    ["tags", "Tags", !page.isDeleted],
    ["dates", "Dates", !page.isDeleted],
    ["access", "Access", !page.isDeleted],
    ["shoot", "Shoot", !page.isDeleted],
    ["chapters", "Chapters", !page.isDeleted && page.video !== null],
    ["photos", "Photos", !page.isDeleted && page.photos !== null],
    ["encoding", "Encoding", !page.isDeleted && page.encoding !== null],
    ["originals", "Originals", !page.isDeleted],
    ["draftLinks", "Draft links", page.draftLinks !== undefined],
    ["history", "Who did what", true],
  ] as const;
  return all.flatMap(([id, name, isThere]) => (isThere ? [[id, name] as const] : []));
}
