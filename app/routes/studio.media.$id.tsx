import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { makeDraftLink, revokeDraftLink } from "#app/domain/catalog/edit/draft-links.server.ts";
import { findShoots } from "#app/domain/catalog/edit/shoots.server.ts";
import { formatZoneTime } from "#app/dates.ts";
import { hasRight } from "#app/domain/staff/rights.ts";
import { paths } from "#app/paths.ts";
import { AccessSection } from "#app/ui/studio/item/access-section.tsx";
import { ChaptersSection } from "#app/ui/studio/item/chapters-section.tsx";
import { CreditsSection } from "#app/ui/studio/item/credits-section.tsx";
import { DatesSection } from "#app/ui/studio/item/dates-section.tsx";
import { DraftLinksSection } from "#app/ui/studio/item/draft-links-section.tsx";
import styles from "#app/ui/studio/item/item.module.css";
import { ItemHeading } from "#app/ui/studio/item/item-heading.tsx";
import { ItemHistory } from "#app/ui/studio/item/item-history.tsx";
import { ItemProblems, RefusalSummary } from "#app/ui/studio/item/item-problems.tsx";
import { PhotosSection } from "#app/ui/studio/item/photos-section.tsx";
import { INCOMPLETE } from "#app/ui/forms/problem.tsx";
import { parseMarkdown } from "#app/ui/prose/markdown.ts";
import { refusalLines, sectionProps } from "#app/ui/studio/item/section-props.ts";
import { ShootSection } from "#app/ui/studio/item/shoot-section.tsx";
import { StateSection } from "#app/ui/studio/item/state-section.tsx";
import { TagsSection } from "#app/ui/studio/item/tags-section.tsx";
import { TextSection } from "#app/ui/studio/item/text-section.tsx";
import { doneText, isSavedName } from "#app/ui/studio/item/saved-messages.ts";
import { StudioFrame } from "#app/ui/studio/studio-frame.tsx";
import { field, readIntent, readStaffForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import { answerSection, sectionIn } from "#app/web/forms/item-form.server.ts";
import { answerTransition } from "#app/web/forms/transition-form.server.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { siteFacts } from "#app/web/pages/site-facts.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { findItemPage } from "#app/web/studio/item-page.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data: page }) =>
  pageMeta({ title: page?.heading.title ?? "Not found", robots: "noindex" });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const { searchParams } = new URL(request.url);
  const photoPage = Math.max(1, Math.floor(Number(searchParams.get("photos"))) || 1);
  const page = await findItemPage(actorOf(member), params.id ?? "", photoPage);
  if (page === null) throw new Response("Not Found", { status: 404 });
  const saved = searchParams.get("saved");
  return {
    ...page,
    role: member.user.role,
    allEntries: hasRight(member, "site") ? paths.studioAudit({ subject: page.id }) : null,
    saved: isSavedName(saved) ? saved : null,
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const actor = actorOf(await requireStaff(request, "media.edit"));
  const id = params.id ?? "";
  const form = await readStaffForm(request);
  const { timeZone } = siteFacts;
  const section = field(form, "section");
  const photos = new URL(request.url).searchParams.get("photos") ?? undefined;
  const done = (saved: string, anchor = saved) =>
    redirect(`${paths.studioItem(id, { photos, saved })}#${anchor}`, { status: 303 });
  const refuse = <Answer extends object>(answer: Answer, status = 422) =>
    data({ ...answer, errorId: logRefusal(request, `studio item: ${section}`) }, { status });

  if (section === "state") {
    const outcome = await answerTransition(actor, id, form, timeZone);
    if (outcome === "incomplete") return refuse({ incomplete: INCOMPLETE });
    if ("problem" in outcome) return refuse({ transition: outcome });
    return outcome.done === "delete" ? redirect(paths.studioMedia(), { status: 303 }) : done(outcome.done, "state");
  }
  if (section === "draftLinks") {
    if (readIntent(form, ["revoke"]) !== null) {
      await revokeDraftLink(actor, field(form, "link"));
      return done("revoked", "draftLinks");
    }
    const link = await makeDraftLink(actor, id);
    if (link === null) return refuse({ incomplete: "Only a draft can have a draft link." });
    const url = siteFacts.origin + paths.draft(link.token);
    return data({ madeLink: { url, expires: formatZoneTime(link.expiresAt, timeZone) } });
  }
  const name = sectionIn(form);
  const answer = name === null ? "incomplete" : await answerSection(actor, id, name, form, timeZone);
  if (answer === "incomplete") return refuse({ incomplete: INCOMPLETE });
  if (answer === "saved") return done(name ?? "");
  if (answer.step === "save") return refuse({ answer }, answer.conflicts.length > 0 ? 409 : 422);
  const words = field(form, "find").slice(0, 64);
  return data({
    answer,
    preview: answer.step === "preview" && "description" in answer.fields ? parseMarkdown(answer.fields.description) : undefined,
    found: answer.step === "find" ? { words, items: words === "" ? [] : await findShoots(words, id) } : undefined,
  });
}

export default function StudioItemPage() {
  const page = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  const { heading, saved, timeZone } = page;
  const answer = sent !== undefined && "answer" in sent ? sent.answer : undefined;
  const refusedTransition = sent !== undefined && "transition" in sent ? sent.transition : undefined;
  const madeLink = sent !== undefined && "madeLink" in sent ? sent.madeLink : undefined;
  const shownSaved = sent === undefined ? saved : null;
  const section = sectionProps(page, answer, shownSaved);
  return (
    <StudioFrame role={page.role} title={heading.title} hasOwnHeading>
      <div className={styles.page}>
        <RefusalSummary
          problems={refusalLines(answer, refusedTransition, sent)}
          errorId={sent !== undefined && "errorId" in sent ? sent.errorId : undefined}
        />
        <ItemHeading {...heading} />
        <ItemProblems problems={page.problems} />
        <StateSection
          {...page.state}
          action={page.action}
          timeZone={timeZone}
          plan={refusedTransition?.publishAt ?? page.state.plan}
          reason={refusedTransition?.reason ?? ""}
          problem={refusedTransition}
          done={doneText("state", shownSaved)}
        />
        {page.isDeleted ? null : (
          <>
            <TextSection
              {...section("text")}
              limits={page.limits}
              preview={sent !== undefined && "preview" in sent ? sent.preview : undefined}
            />
            <CreditsSection {...section("credits")} options={page.names.creators} />
            <TagsSection {...section("tags")} present={page.stored.tags.tags} options={page.names.tags} />
            <DatesSection {...section("dates")} timeZone={timeZone} />
            <AccessSection {...section("access")} />
            <ShootSection
              {...section("shoot")}
              present={page.stored.shoot.shoot}
              others={page.shoot}
              found={sent !== undefined && "found" in sent ? sent.found : undefined}
            />
            {page.video && <ChaptersSection {...section("chapters")} video={page.video} />}
            {page.photos && <PhotosSection {...section("photos")} {...page.photos} />}
            {page.draftLinks && (
              <DraftLinksSection
                action={page.action}
                links={page.draftLinks}
                made={madeLink}
                isRevoked={shownSaved === "revoked"}
              />
            )}
          </>
        )}
        <ItemHistory entries={page.history} all={page.allEntries} />
      </div>
    </StudioFrame>
  );
}
