import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { requestLink } from "#app/adapters/email-link.server.ts";
import {
  FORM_SECTIONS,
  type FormSectionName,
  type SectionFields,
} from "#app/domain/catalog/edit/item/section-fields.ts";
import { findHistory } from "#app/domain/staff/list-audit.server.ts";
import { paths } from "#app/paths.ts";
import type { RequestedCode } from "#app/ui/forms/code-field.tsx";
import { INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import { historyOf } from "#app/ui/studio/audit/audit-texts.ts";
import { fieldLabel, shownAnswer } from "#app/ui/studio/field-texts.ts";
import { DraftLinksSection } from "#app/ui/studio/item/draft-links-section.tsx";
import { EncodingSection } from "#app/ui/studio/item/encoding-section.tsx";
import styles from "#app/ui/studio/item/item.module.css";
import { ItemHistory } from "#app/ui/studio/item/item-history.tsx";
import { OrderSection } from "#app/ui/studio/item/order-section.tsx";
import { OriginalsSection } from "#app/ui/studio/item/originals-section.tsx";
import { LeftOutSection, PhotoFilesSection } from "#app/ui/studio/item/photo-files-section.tsx";
import { PhotosSection } from "#app/ui/studio/item/photos-section.tsx";
import { PublicationSection } from "#app/ui/studio/item/publication-section.tsx";
import { RefusalSummary } from "#app/ui/studio/item/refusal-summary.tsx";
import { refusalLines } from "#app/ui/studio/item/refusals.ts";
import { isSavedName, stateMessage } from "#app/ui/studio/item/saved-messages.ts";
import { editedSections } from "#app/ui/studio/item/section-form.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { confirmInForm } from "#app/web/forms/confirm-in-form.server.ts";
import { field } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import type { ItemSectionAnswer } from "#app/web/forms/item-form.server.ts";
import {
  answerItemForm,
  formName,
  ITEM_UPLOAD_LIMITS,
  type ItemFormAnswer,
  repeatItemForm,
  takesFiles,
} from "#app/web/forms/item-page-form.server.ts";
import { FILES_TOO_LARGE, withItemForm } from "#app/web/forms/item-upload.server.ts";
import type { OrderAnswer } from "#app/web/forms/photos-form.server.ts";
import { siteFacts, siteTime } from "#app/web/pages/site-facts.server.ts";
import { limitItemFiles } from "#app/web/request/limits.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { findItemPage } from "#app/web/studio/item-page.server.ts";
import { photoPageIn } from "#app/web/studio/photo-pages.server.ts";

interface ItemAnswer extends Omit<ItemFormAnswer, "section" | "order"> {
  section?: ReturnType<typeof shownAnswer<ItemSectionAnswer>>;
  order?: ReturnType<typeof shownAnswer<OrderAnswer>>;
  /** For a form that needs a newer sign-in. */
  code?: { section: string; intent: string; link: string | null; request: RequestedCode };
  errorId?: string;
}

export { keepTyped as shouldRevalidate };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const { searchParams } = new URL(request.url);
  const page = await findItemPage(actorOf(member), params.id ?? "", photoPageIn(request));
  if (page === null) throw new Response("Not Found", { status: 404 });
  const saved = searchParams.get("saved");
  const { entries, allEntries } = await findHistory(member, page.id, siteFacts.timeZone);
  return {
    ...page,
    history: historyOf(entries, siteTime),
    allEntries,
    saved: isSavedName(saved, FORM_SECTIONS) ? saved : null,
    uploads: ITEM_UPLOAD_LIMITS,
    hasOutbox: siteFacts.hasOutbox,
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const id = params.id ?? "";
  return withItemForm(request, async (read) => {
    if (read === "tooLarge") {
      const errorId = logRefusal(request, "item: upload");
      return data<ItemAnswer>({ error: FILES_TOO_LARGE, errorId }, { status: 413 });
    }
    const { form } = read;
    const sent = { actor: actorOf(member), id, ...read };
    if (takesFiles(sent)) await limitItemFiles(member.user.id);
    const confirmation = await confirmInForm(request, member, form, {
      stepUp: "studio",
      next: paths.studioItem(id),
      sendLink: requestLink,
    });
    const { headers } = confirmation;
    const refuse = (answer: ItemAnswer, status = 422) => {
      const errorId = logRefusal(request, `item: ${formName(sent)}`);
      return data<ItemAnswer>({ ...answer, errorId }, { status, headers });
    };
    if (!confirmation.isConfirmed) {
      const answer = await repeatItemForm(sent);
      if (answer === null) return refuse({ error: INCOMPLETE });
      const [section, intent, link] = ["section", "intent", "link"].map((name) => field(form, name));
      const code = { section: section ?? "", intent: intent ?? "", link: link || null };
      const shown = { ...shownForm(answer), code: { ...code, request: confirmation.code } };
      return data<ItemAnswer>(shown, { status: 403, headers });
    }
    const outcome = await answerItemForm(sent);
    if (outcome === "incomplete") return refuse({ error: INCOMPLETE });
    if ("goTo" in outcome) return redirect(outcome.goTo, { status: 303, headers });
    if ("done" in outcome) {
      const photos = new URL(request.url).searchParams.get("photos") ?? undefined;
      const page = paths.studioItem(id, { photos, saved: outcome.done });
      return redirect(`${page}#${outcome.at}`, { status: 303, headers });
    }
    const { status, answer } = outcome;
    if (status >= 400) return refuse(shownForm(answer), status);
    return data<ItemAnswer>(shownForm(answer), { status, headers });
  });
}

export default function StudioItemPage() {
  const page = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  const saved = sent === undefined ? page.saved : null;
  const refusals = useMemo(() => (sent === undefined ? [] : refusalLines(sent)), [sent]);
  const { stored, timeZone, isDeleted } = page;
  const plan = sent?.transition?.publishAt
    ? { plan: sent.transition.publishAt, timeZone: sent.transition.timeZone }
    : { plan: page.publication.plan, timeZone };
  const codeFor = (name: string) => (sent?.code?.section === name ? sent.code : undefined);
  const photos = Object.entries(page.photos?.pictures ?? {}).map(([id, photo]) => ({ id, ...photo }));
  // Another page of photos resets their forms, and another order resets the form of the order.
  const ids = photos.map(({ id }) => id);
  const photoKey = ids.join(" ");
  const form = { action: page.action, hasOutbox: page.hasOutbox };
  /** For sections about files. */
  const fileSection = (name: "photoFiles" | "leftOut") => ({
    ...form,
    isSaved: saved === name,
    code: codeFor(name)?.request ?? null,
  });
  const labeled = (conflicts: { field: string; theirs: string; yours: string }[] = []) =>
    conflicts.map((conflict) => ({
      ...conflict,
      label: fieldLabel(conflict.field, photoPositions(page)),
    }));
  const edited = editedSections({ ...form, saved, sent });
  const section = <Name extends FormSectionName>(name: Name) => {
    const own = edited.section<SectionFields[Name]>(
      name,
      page.fields[name] as SectionFields[Name],
      stored[name],
    );
    return { ...own, conflicts: labeled(own.conflicts) };
  };
  return (
    <div className={styles.page}>
      <RefusalSummary problems={refusals} errorId={sent?.errorId} />
      <PublicationSection
        {...page.publication}
        action={page.action}
        isPlanned={page.publication.plan !== ""}
        {...plan}
        reason={sent?.transition?.reason ?? ""}
        limits={page.limits}
        refused={sent?.transition}
        code={codeFor("publication")?.request ?? null}
        hasOutbox={page.hasOutbox}
        done={stateMessage(saved, page.state)}
      />
      {isDeleted ? null : (
        <>
          {page.photos && (
            <PhotosSection
              key={ids.toSorted().join(" ")}
              {...section("photos")}
              {...page.photos}
              limits={page.limits}
            />
          )}
          {page.photos && page.order && (
            <OrderSection
              key={photoKey}
              {...form}
              opened={sent?.order?.opened ?? page.order.opened}
              fields={sent?.order?.fields ?? page.order.fields}
              isSaved={saved === "order"}
              isRefused={sent?.order !== undefined}
              errors={sent?.order?.errors ?? {}}
              conflicts={labeled(sent?.order?.conflicts)}
              code={codeFor("order")?.request ?? null}
              pictures={page.photos.pictures}
              first={page.order.first}
              total={page.order.total}
              pages={page.order.pages}
            />
          )}
          {page.order && (
            <PhotoFilesSection
              {...fileSection("photoFiles")}
              photos={photos}
              versions={page.order.versions}
              answer={sent?.photoFiles}
              limits={page.uploads}
            />
          )}
          {page.leftOut && (
            <LeftOutSection {...fileSection("leftOut")} photos={page.leftOut} answer={sent?.leftOut} />
          )}
        </>
      )}
      {page.encoding && !isDeleted && (
        <EncodingSection
          key={page.action}
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
  );
}

function shownForm({ section, order, ...answer }: ItemFormAnswer): ItemAnswer {
  return {
    ...answer,
    ...(section === undefined ? {} : { section: shownAnswer(section, siteTime) }),
    ...(order === undefined ? {} : { order: shownAnswer(order, siteTime) }),
  };
}

function photoPositions({ photos }: ReturnType<typeof useLoaderData<typeof loader>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(photos?.pictures ?? {}).map(([id, { position }]) => [id, position]),
  );
}
