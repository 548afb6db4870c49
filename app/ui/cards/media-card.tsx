import { Fragment, type ReactNode } from "react";
import { count } from "#app/counts.ts";
import type { MediaCardView } from "#app/domain/catalog/cards/cards.server.ts";
import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { CheckIcon, LockIcon } from "#app/ui/parts/icons.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import { seenPercent } from "#app/ui/parts/seen-percent.ts";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { clock } from "../parts/clock.ts";
import { CARD_SIZES } from "./card-grid.tsx";
import styles from "./media-card.module.css";

interface MediaCardProps {
  media: MediaCardView;
  /** Covers are cropped to it, because a row may have both videos and photo sets. */
  shape: keyof typeof CARD_SIZES;
  priority?: boolean;
  actions?: ReactNode;
  anchor?: string;
}

export function MediaCard({ media, shape, priority = false, actions, anchor }: MediaCardProps) {
  return (
    <article className={styles.card} id={anchor}>
      <div className={styles[shape]} data-preview={media.preview ?? undefined}>
        <Picture
          className={styles.image}
          picture={media.cover}
          sizes={CARD_SIZES[shape]}
          priority={priority}
        />
        {media.isNew ? <span className={styles.new}>New</span> : null}
        <Extent media={media} />
        {media.isCompleted ? null : <Progress value={media.progress} />}
      </div>
      <div className={styles.words}>
        <h3 className={styles.title}>
          <SiteLink to={paths.media(media.type, media.slug)}>{media.title}</SiteLink>
        </h3>
        <p className={styles.facts}>
          {media.creators.length > 0 ? <Creators creators={media.creators} /> : null}
          {media.publishedOn === null ? null : <span className={styles.date}>{media.publishedOn}</span>}
        </p>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
    </article>
  );
}

function Creators({ creators }: Pick<MediaCardView, "creators">) {
  return (
    <span className={styles.creators}>
      {creators.map(({ slug, name }, index) => (
        <Fragment key={slug}>
          {index > 0 ? ", " : null}
          <SiteLink to={paths.creator(slug)}>{name}</SiteLink>
        </Fragment>
      ))}
    </span>
  );
}

function Extent({ media }: { media: MediaCardView }) {
  return (
    <p className={styles.extent}>
      {media.isLocked ? (
        <span className={styles.part}>
          <LockIcon size={14} />
          <VisuallyHidden>{media.access === "member" ? "For members" : "For subscribers"}</VisuallyHidden>
        </span>
      ) : null}
      {media.isCompleted ? (
        <span className={styles.part}>
          <CheckIcon size={14} />
          Seen
        </span>
      ) : null}
      {media.durationSeconds === null ? null : (
        <span>
          <VisuallyHidden>Length </VisuallyHidden>
          {clock(media.durationSeconds)}
        </span>
      )}
      {media.photoCount === null ? null : <span>{count(media.photoCount, "photo")}</span>}
    </p>
  );
}

function Progress({ value }: { value: number | null }) {
  if (value === null || value <= 0) return null;
  const percent = seenPercent(value);
  return (
    <div className={styles.track}>
      <div className={styles.bar} style={{ width: `${percent}%` }} />
      <VisuallyHidden>{percent}% seen</VisuallyHidden>
    </div>
  );
}
