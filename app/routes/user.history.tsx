import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { dayWords } from "#app/domain/billing/day-words.ts";
import { listHistory } from "#app/domain/viewing/seen.server.ts";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { PageLinks } from "#app/ui/catalog/page-links.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Page } from "#app/ui/page.tsx";
import { useSavedPlaces } from "#app/ui/player/saved-places.ts";
import { HistoryList } from "#app/ui/viewing/history-list.tsx";
import styles from "#app/ui/viewing/viewing.module.css";
import { requireMember } from "#app/web/guards.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";

export const meta: MetaFunction = () => pageMeta({ title: "History", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await requireMember(request);
  const after = new URL(request.url).searchParams.get("after");
  const { seen, next } = await listHistory(viewer, after);
  return {
    seen: seen.map((item) => ({ ...item, day: dayName(item.lastViewedAt) })),
    next: next && paths.history({ after: next }),
    previous: after === null ? null : paths.history(),
  };
}

/** Days are those of UTC, as dayWords() has them. */
function dayName(at: string): string {
  const words = dayWords(new Date(at));
  return words === dayWords(new Date()) ? "Today" : words;
}

export default function HistoryPage() {
  const { seen, next, previous } = useLoaderData<typeof loader>();
  useSavedPlaces();
  return (
    <Page>
      <h1>History</h1>
      {seen.length > 0 ? (
        <>
          <div className={styles.tools}>
            <p className={styles.muted}>Only you see what you opened, and where you stopped.</p>
            <Form method="post" action={paths.api.viewsAction("forget-all")}>
              <details>
                <summary className={buttonClass("quiet")}>Forget everything …</summary>
                <p>Every place is lost. Favorites stay.</p>
                <button type="submit" className={buttonClass("danger")}>
                  Forget everything
                </button>
              </details>
            </Form>
          </div>
          <HistoryList seen={seen} />
        </>
      ) : (
        <EmptyState title={previous ? "Nothing further back" : "Nothing opened yet"}>
          <p>
            What you watch is remembered here. Begin with the <Link to={paths.list("video")}>videos</Link> or
            the <Link to={paths.list("photoSet")}>photos</Link>.
          </p>
        </EmptyState>
      )}
      <PageLinks previous={previous} next={next} previousLabel="← To the newest" nextLabel="Further back →" />
    </Page>
  );
}
