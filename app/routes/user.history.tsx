import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { formatDate } from "#app/dates.ts";
import { listHistory } from "#app/domain/viewing/history.server.ts";
import { paths } from "#app/paths.ts";
import { PageLinks } from "#app/ui/catalog/page-links.tsx";
import { buttonClass } from "#app/ui/parts/button.tsx";
import { EmptyState } from "#app/ui/parts/empty-state.tsx";
import { Page } from "#app/ui/parts/page.tsx";
import { HistoryList } from "#app/ui/progress/history-list.tsx";
import styles from "#app/ui/progress/progress.module.css";
import { useReloadAfterSave } from "#app/ui/progress/saved-progress.ts";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { requireMember } from "#app/web/session/guards.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "History", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await requireMember(request);
  const after = new URL(request.url).searchParams.get("after");
  const { entries, next } = await listHistory(viewer, after);
  return {
    entries: entries.map((item) => ({ ...item, day: dayName(item.lastViewedAt, viewer.session.now) })),
    next: next && paths.history({ after: next }),
    previous: after === null ? null : paths.history(),
  };
}

function dayName(at: string, now: Date): string {
  const words = formatDate(new Date(at));
  return words === formatDate(now) ? "Today" : words;
}

export default function HistoryPage() {
  const { entries, next, previous } = useLoaderData<typeof loader>();
  useReloadAfterSave();
  return (
    <Page>
      <h1>History</h1>
      {entries.length > 0 ? (
        <>
          <div className={styles.tools}>
            <p className={styles.muted}>No other visitor sees what you opened or where you stopped.</p>
            <Form method="post" action={paths.api.viewsAction("forget-all")}>
              <details>
                <summary className={buttonClass("quiet")}>Forget everything …</summary>
                <p>You lose all your progress. Your favorites stay.</p>
                <button type="submit" className={buttonClass("danger")}>
                  Forget everything
                </button>
              </details>
            </Form>
          </div>
          <HistoryList entries={entries} />
        </>
      ) : (
        <EmptyState title={previous ? "Nothing earlier" : "Nothing opened yet"}>
          <p>
            The videos and sets you open appear here. Start with the{" "}
            <Link to={paths.list("video")}>videos</Link> or the{" "}
            <Link to={paths.list("photoSet")}>photos</Link>.
          </p>
        </EmptyState>
      )}
      <PageLinks previous={previous} next={next} previousLabel="← To the newest" nextLabel="Further back →" />
    </Page>
  );
}
