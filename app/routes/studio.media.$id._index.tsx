import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { requestLink } from "#app/adapters/email-link.server.ts";
import { findHistory } from "#app/domain/staff/list-audit.server.ts";
import { paths } from "#app/paths.ts";
import type { RequestedCode } from "#app/ui/forms/code-field.tsx";
import { INCOMPLETE } from "#app/ui/forms/form-error.tsx";
import { historyOf } from "#app/ui/studio/audit/audit-texts.ts";
import { DraftLinksSection } from "#app/ui/studio/item/draft-links-section.tsx";
import styles from "#app/ui/studio/item/item.module.css";
import { ItemHistory } from "#app/ui/studio/item/item-history.tsx";
import { PublicationSection } from "#app/ui/studio/item/publication-section.tsx";
import { RefusalSummary } from "#app/ui/studio/item/refusal-summary.tsx";
import { refusalLines } from "#app/ui/studio/item/refusals.ts";
import { isSavedName, stateMessage } from "#app/ui/studio/item/saved-messages.ts";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { confirmInForm } from "#app/web/forms/confirm-in-form.server.ts";
import { field, readStaffForm } from "#app/web/forms/form-body.server.ts";
import { logRefusal } from "#app/web/forms/form-refusal.server.ts";
import {
  answerItemForm,
  formName,
  type ItemFormAnswer,
  repeatItemForm,
} from "#app/web/forms/item-page-form.server.ts";
import { siteFacts, siteTime } from "#app/web/pages/site-facts.server.ts";
import { actorOf, requireStaff } from "#app/web/session/guards.server.ts";
import { findItemPage } from "#app/web/studio/item-page.server.ts";

interface ItemAnswer extends ItemFormAnswer {
  /** For a form that needs a newer sign-in. */
  code?: { section: string; intent: string; link: string | null; request: RequestedCode };
  errorId?: string;
}

export { keepTyped as shouldRevalidate };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const { searchParams } = new URL(request.url);
  const page = await findItemPage(actorOf(member), params.id ?? "");
  if (page === null) throw new Response("Not Found", { status: 404 });
  const saved = searchParams.get("saved");
  const { entries, allEntries } = await findHistory(member, page.id, siteFacts.timeZone);
  return {
    ...page,
    history: historyOf(entries, siteTime),
    allEntries,
    saved: isSavedName(saved) ? saved : null,
    hasOutbox: siteFacts.hasOutbox,
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const id = params.id ?? "";
  const form = await readStaffForm(request);
  const sent = { actor: actorOf(member), id, form };
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
    return data<ItemAnswer>(
      { ...answer, code: { ...code, request: confirmation.code } },
      { status: 403, headers },
    );
  }
  const outcome = await answerItemForm(sent);
  if (outcome === "incomplete") return refuse({ error: INCOMPLETE });
  if ("goTo" in outcome) return redirect(outcome.goTo, { status: 303, headers });
  if ("done" in outcome) {
    return redirect(`${paths.studioItem(id, { saved: outcome.done })}#${outcome.at}`, {
      status: 303,
      headers,
    });
  }
  const { status, answer } = outcome;
  if (status >= 400) return refuse(answer, status);
  return data<ItemAnswer>(answer, { status, headers });
}

export default function StudioItemPage() {
  const page = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  const saved = sent === undefined ? page.saved : null;
  const refusals = useMemo(() => (sent === undefined ? [] : refusalLines(sent)), [sent]);
  const { timeZone } = page;
  const plan = sent?.transition?.publishAt
    ? { plan: sent.transition.publishAt, timeZone: sent.transition.timeZone }
    : { plan: page.publication.plan, timeZone };
  const codeFor = (name: string) => (sent?.code?.section === name ? sent.code : undefined);
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
