import { Button } from "@mantine/core";
import { Link } from "@remix-run/react";
import { count } from "#app/ui/parts/format-length.ts";
import "#app/ui/theme/mantine.css";
import studioStyles from "../studio.module.css";
import { useReload } from "../use-news.ts";
import styles from "./names.module.css";

interface NameProgressProps {
  /** Says what was done, once it is. */
  sentence: string;
  total: number;
  done: number;
  isDone: boolean;
  refreshSeconds: number;
  back: { to: string; label: string };
}

export function NameProgress({ sentence, total, done, isDone, refreshSeconds, back }: NameProgressProps) {
  useReload(isDone, refreshSeconds);
  return (
    <>
      <div role="status" className={styles.group}>
        <p>
          {isDone
            ? sentence
            : `${done.toLocaleString("en")} of ${count(total, "item")} done. This page updates itself. You can leave it.`}
        </p>
        {!isDone && (
          <progress className={studioStyles.progress} max={total} value={done} aria-label="Items done" />
        )}
      </div>
      <div>
        <Button component={Link} to={back.to} variant="default">
          {back.label}
        </Button>
      </div>
    </>
  );
}
