import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { historyOf } from "#app/ui/studio/audit/audit-texts.ts";
import { DraftLinksSection } from "#app/ui/studio/item/draft-links-section.tsx";
import styles from "#app/ui/studio/item/item.module.css";
import { ItemHistory } from "#app/ui/studio/item/item-history.tsx";
import { PublicationSection } from "#app/ui/studio/item/publication-section.tsx";
import { keepTyped } from "#app/ui/studio/keep-typed.ts";
import { useKeptAnswer } from "#app/ui/studio/part-form.tsx";
import { LINK_REVOKED, type OverviewAnswer, overviewPart } from "#app/web/forms/overview-form.server.ts";
import { siteTime } from "#app/web/pages/site-facts.server.ts";
import { requireStaff } from "#app/web/session/guards.server.ts";
import { takeNotice } from "#app/web/session/notice-cookie.server.ts";
import { answerFormGroup } from "#app/web/studio/form-group.server.ts";
import { findOverviewPage } from "#app/web/studio/item-overview.server.ts";

export { keepTyped as shouldRevalidate };

export async function loader({ request, params }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.edit");
  const page = await findOverviewPage(member, params.id ?? "");
  if (page === null) throw new Response("Not Found", { status: 404 });
  const { notice, headers } = await takeNotice(request);
  // An item that is no longer a draft has no section for its links.
  const isOfLinks = page.draftLinks !== null && notice === LINK_REVOKED;
  const notices = { state: isOfLinks ? null : notice, links: isOfLinks ? notice : null };
  return data({ ...page, notices, history: historyOf(page.history, siteTime) }, { headers });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const member = await requireStaff(request, "media.edit", { confirmsInForm: true });
  const id = params.id ?? "";
  const part = { id, part: "overview", page: paths.studioItem(id) };
  return answerFormGroup<OverviewAnswer>(request, member, part, overviewPart);
}

export default function StudioItemPage() {
  const page = useLoaderData<typeof loader>();
  const { publication, draftLinks, notices, history, allEntries } = page;
  const answer = useKeptAnswer(useActionData<typeof action>(), page);
  const isOfLinks = draftLinks !== null && /Link$/.test(answer?.sent?.intent ?? "");
  return (
    <div className={styles.page}>
      <PublicationSection {...publication} notice={notices.state} answer={isOfLinks ? undefined : answer} />
      {draftLinks && (
        <DraftLinksSection {...draftLinks} notice={notices.links} answer={isOfLinks ? answer : undefined} />
      )}
      <ItemHistory entries={history} all={allEntries} timeZone={publication.timeZone} />
    </div>
  );
}
