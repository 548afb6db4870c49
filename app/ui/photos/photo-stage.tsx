import { Link } from "@remix-run/react";
import { type CSSProperties, type ReactNode, useRef } from "react";
import type { PictureView } from "#app/domain/catalog/card.ts";
import { paths } from "#app/paths.ts";
import { NextIcon, PreviousIcon } from "#app/ui/icons.tsx";
import type { PlaceSubject } from "#app/ui/player/place-reporter.ts";
import styles from "./photo-page.module.css";
import { Picture } from "./picture.tsx";
import { usePhotoPlace } from "./use-photo-place.ts";
import { useTurning } from "./use-turning.ts";

interface PhotoStageProps {
  set: { slug: string; title: string };
  /** 1-based. */
  number: number;
  count: number;
  picture: PictureView | null;
  /** Whose place to remember; null for those without an account, and when the page already is. */
  unrecorded: PlaceSubject | null;
  /** What stands there instead of a photo that does not open. */
  children: ReactNode;
}

/** One photo as high as the window, and the way to its neighbours: links, arrow keys, a swipe. */
export function PhotoStage({ set, number, count, picture, unrecorded, children }: PhotoStageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const previous = number > 1 ? paths.photo(set.slug, number - 1) : null;
  const next = number < count ? paths.photo(set.slug, number + 1) : null;
  useTurning(stage, paths.media("photoSet", set.slug));
  usePhotoPlace(unrecorded, number);
  return (
    <div className={styles.stage} ref={stage}>
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
        <h1 className={styles.place}>
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
    </div>
  );
}

function sizeOf({ width, height }: PictureView): CSSProperties {
  return { "--width": `${width}px`, "--ratio": width / height } as CSSProperties;
}
