import { Button } from "@mantine/core";
import { Form, Link, useLocation } from "@remix-run/react";
import { count } from "#app/counts.ts";
import type { BulkProgress as StoredProgress } from "#app/domain/catalog/edit/bulk/bulk-changes.server.ts";
import { paths } from "#app/paths.ts";
import "#app/ui/theme/mantine.css";
import studioStyles from "../studio.module.css";
import { useReload } from "../use-news.ts";
import styles from "./list.module.css";

interface BulkProgressProps
  extends Pick<StoredProgress, "id" | "total" | "done" | "changed" | "isDone" | "problems" | "changedItems"> {
  mayStop: boolean;
  /** The list that the items were chosen in. */
  back: string;
}

export function BulkProgress(props: BulkProgressProps) {
  const { id, total, done, changed, isDone, mayStop, problems, changedItems, back } = props;
  const { search } = useLocation();
  const unchanged = total - changed - problems.length;
  useReload(isDone);

  return (
    <>
      <div role="status" className={styles.group}>
        <p>
          {isDone
            ? `${count(changed, "item")} changed.${unchanged > 0 ? ` ${count(unchanged, "item")} stayed the same.` : ""}`
            : `${done} of ${count(total, "item")} done. You can leave this page.`}
        </p>
        {!isDone && (
          <progress className={studioStyles.progress} max={total} value={done} aria-label="Items done" />
        )}
      </div>
      {mayStop && (
        <Form method="post" action={paths.studioBulk() + search} className={styles.form}>
          <input type="hidden" name="running" value={id} />
          <p className={styles.muted}>Items that are already changed stay changed.</p>
          <div>
            <Button type="submit" name="intent" value="stop" variant="default">
              Stop
            </Button>
          </div>
        </Form>
      )}
      {problems.length > 0 && (
        <section className={styles.group}>
          <h2>{count(problems.length, "item")} could not be changed</h2>
          <ul className={styles.changes}>
            {problems.map(({ mediaId, title, problem }) => (
              <li key={mediaId}>
                <Link to={paths.studioItem(mediaId)}>{title}</Link>
                <span className={styles.muted}>{problem}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {isDone && changedItems.length > 0 && (
        <section className={styles.group}>
          <h2>Changed{changedItems.length < changed ? `, the first ${changedItems.length}` : ""}</h2>
          <ul className={styles.changes}>
            {changedItems.map(({ mediaId, title }) => (
              <li key={mediaId}>
                <Link to={paths.studioItem(mediaId)}>{title}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div>
        <Button component={Link} to={back} variant="default">
          Back to the items
        </Button>
      </div>
    </>
  );
}
