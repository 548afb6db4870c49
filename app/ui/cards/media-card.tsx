import { Fragment } from "react";
import { count } from "#app/counts.ts";
import type { MediaCardView } from "#app/domain/catalog/cards/cards.server.ts";
import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import { seenPercent } from "#app/ui/parts/seen-percent.ts";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { clock } from "../parts/clock.ts";
import { CARD_SIZES } from "./card-grid.tsx";
import { CardHeart } from "./card-heart.tsx";
import styles from "./media-card.module.css";

interface MediaCardProps {
  media: MediaCardView;
  /** Covers are cropped to it, because a row may have both videos and photo sets. */
  shape: keyof typeof CARD_SIZES;
  priority?: boolean;
  anchor?: string;
  /** The id of the list's forms for its hearts. */
  list: string;
}

export function MediaCard({ media, shape, priority = false, anchor, list }: MediaCardProps) {
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
      <h3 className={styles.title}>
        <SiteLink to={paths.media(media.type, media.slug)}>{media.title}</SiteLink>
      </h3>
      <p className={styles.facts}>
        {media.creators.length > 0 ? <Creators creators={media.creators} /> : null}
        {media.publishedOn === null ? null : <span className={styles.date}>{media.publishedOn}</span>}
      </p>
      {media.isFavorited === null ? null : (
        <CardHeart media={media} isFavorited={media.isFavorited} list={list} />
      )}
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
        <span className={styles.lock}>{media.access === "member" ? "For members" : "For subscribers"}</span>
      ) : null}
      {media.isCompleted ? <span className={styles.seen}>Seen</span> : null}
      {media.durationSeconds === null ? null : (
        <>
          <VisuallyHidden>Length </VisuallyHidden>
          {clock(media.durationSeconds)}
        </>
      )}
      {media.photoCount === null ? null : count(media.photoCount, "photo")}
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
