import { Link } from "@remix-run/react";
import { type ComponentProps, type CSSProperties, type ReactNode, useEffect, useRef, useState } from "react";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { paths } from "#app/paths.ts";
import { DownloadLink } from "#app/ui/parts/download-link.tsx";
import { NextIcon, PreviousIcon } from "#app/ui/parts/icons.tsx";
import { type ProgressSubject, progressReporter } from "#app/ui/progress/send-progress.ts";
import { Picture } from "../parts/picture.tsx";
import styles from "./photo-page.module.css";
import { useKeysAndSwipes } from "./use-keys-and-swipes.ts";

/** Long enough to count as a view: quick paging saves once. */
const LOOKED_AT_MS = 700;

interface PhotoStageProps {
  set: { slug: string; title: string };
  /** 1-based. */
  number: number;
  count: number;
  picture: PictureView | null;
  /** Null for those who may not. */
  download: ComponentProps<typeof DownloadLink> | null;
  /** The viewer whose progress is saved; null when signed out, and when the server has saved it already. */
  unrecorded: ProgressSubject | null;
  children: ReactNode;
}

export function PhotoStage({ set, number, count, picture, download, unrecorded, children }: PhotoStageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const previous = number > 1 ? paths.photo(set.slug, number - 1) : null;
  const next = number < count ? paths.photo(set.slug, number + 1) : null;
  useKeysAndSwipes(stage, paths.media("photoSet", set.slug));
  return (
    <div className={styles.stage} ref={stage}>
      <PhotoProgress key={`${set.slug} ${number}`} unrecorded={unrecorded} number={number} />
      {picture ? (
        <div style={sizeOf(picture)}>
          <Picture
            key={picture.url}
            picture={picture}
            sizes="(min-width: 80rem) 80rem, 100vw"
            priority
            className={styles.photo}
          />
        </div>
      ) : (
        children
      )}
      <nav className={styles.controls} aria-label="Photos">
        {previous ? (
          <Link to={previous} rel="prev" className={styles.turn}>
            <PreviousIcon /> Previous
          </Link>
        ) : (
          <span />
        )}
        <h1 className={styles.position}>
          <Link to={paths.media("photoSet", set.slug)}>{set.title}</Link>
          <span>
            {" "}
            {number} of {count}
          </span>
        </h1>
        {next ? (
          <Link to={next} rel="next" className={styles.turn}>
            Next <NextIcon />
          </Link>
        ) : (
          <span />
        )}
      </nav>
      {download ? (
        <p className={styles.download}>
          <DownloadLink {...download} />
        </p>
      ) : null}
    </div>
  );
}

/** For photos reached by script. Decided once: a revalidation for another device's progress must not save it again. */
function PhotoProgress({ unrecorded, number }: Pick<PhotoStageProps, "unrecorded" | "number">): null {
  const [subject] = useState(unrecorded);
  const mediaId = subject?.mediaId;
  const viewerId = subject?.viewerId;
  const serverNow = subject?.serverNow;

  useEffect(() => {
    if (!mediaId || !viewerId || serverNow === undefined) return;
    const reporter = progressReporter({ mediaId, viewerId, serverNow });
    const timer = setTimeout(() => reporter.report(number), LOOKED_AT_MS);
    return () => {
      clearTimeout(timer);
      reporter.end();
    };
  }, [mediaId, viewerId, serverNow, number]);

  return null;
}

function sizeOf({ width, height }: PictureView): CSSProperties {
  return { "--width": `${width}px`, "--ratio": width / height } as CSSProperties;
}
