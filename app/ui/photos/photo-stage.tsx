import { Link } from "@remix-run/react";
import { type CSSProperties, type ReactNode, useRef } from "react";
import type { PhotoNeighbors } from "#app/domain/catalog/media/photos.server.ts";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { gridPageAt, paths, type ViewAs } from "#app/paths.ts";
import { NextIcon, PreviousIcon } from "#app/ui/parts/icons.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { PhotoProgress } from "#app/ui/progress/photo-progress.tsx";
import type { ProgressSubject } from "#app/ui/progress/send-progress.ts";
import { Picture, pictureFile } from "../parts/picture.tsx";
import { useLightbox } from "./lightbox/use-lightbox.tsx";
import styles from "./photo-page.module.css";
import { useKeysAndSwipes } from "./use-keys-and-swipes.ts";

interface PhotoStageProps {
  set: { slug: string; title: string };
  position: number;
  count: number;
  neighbors: PhotoNeighbors;
  as: ViewAs | null;
  picture: PictureView | null;
  /** The set's page lists only some of its photos. */
  isLocked: boolean;
  actions: ReactNode;
  anchor: string | undefined;
  progressSubject: ProgressSubject | null;
  children: ReactNode;
}

export function PhotoStage({
  set,
  position,
  count,
  neighbors,
  as,
  picture,
  isLocked,
  actions,
  anchor,
  progressSubject,
  children,
}: PhotoStageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const sameAs = { as: as ?? undefined };
  const pageOf = (neighbor: number | null) =>
    neighbor === null ? null : paths.photo(set.slug, neighbor, sameAs);
  const previous = pageOf(neighbors.previous);
  const next = pageOf(neighbors.next);
  const { area, lightbox, isOpen } = useLightbox(set.slug, position);
  // A locked set lists only its free photos, so their positions do not tell the page.
  const up = paths.media(
    "photoSet",
    set.slug,
    isLocked ? sameAs : { ...gridPageAt(position - 1), ...sameAs },
  );
  useKeysAndSwipes(stage, up, !isOpen);
  return (
    <div className={styles.stage} ref={stage} {...area}>
      <PhotoProgress key={`${set.slug} ${position}`} progressSubject={progressSubject} position={position} />
      {picture ? (
        <a
          className={styles.large}
          href={pictureFile(picture, Math.max(...picture.widths))}
          data-photo={position}
          style={sizeOf(picture)}
        >
          <Picture
            key={picture.url}
            picture={picture}
            sizes="(min-width: 80rem) 80rem, 100vw"
            priority
            className={styles.photo}
          />
          <VisuallyHidden>Enlarge photo {position}</VisuallyHidden>
        </a>
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
          <Link to={up}>{set.title}</Link>
          <span>
            {" "}
            {position} of {count}
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
      <div className={styles.actions} id={anchor}>
        {actions}
      </div>
      {lightbox}
    </div>
  );
}

function sizeOf({ width, height }: PictureView): CSSProperties {
  return { "--width": `${width}px`, "--ratio": width / height } as CSSProperties;
}
