import type { ViewedCard } from "#app/domain/viewing/viewed-card.server.ts";
import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { clock } from "#app/ui/parts/clock.ts";
import { LockIcon } from "#app/ui/parts/icons.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import { seenPercent } from "#app/ui/parts/seen-percent.ts";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { MediaForm } from "../forms/media-form.tsx";
import styles from "./progress.module.css";

export function ContinueRow({ viewed }: { viewed: ViewedCard[] }) {
  return (
    <ul className={styles.row}>
      {viewed.map((item) => (
        <li key={item.card.id}>
          <ContinueCard {...item} />
        </li>
      ))}
    </ul>
  );
}

function ContinueCard({ card, resumeAt }: ViewedCard) {
  return (
    <article className={styles.card}>
      <div className={styles.thumb} data-preview={card.preview ?? undefined}>
        <Picture picture={card.cover} sizes="9rem" priority />
        <div className={styles.track}>
          <div className={styles.bar} style={{ width: `${seenPercent(card.progress ?? 0)}%` }} />
        </div>
      </div>
      <div className={styles.words}>
        <h3>
          <SiteLink to={resumeUrl(card, resumeAt)} className={styles.title}>
            <VisuallyHidden>Resume </VisuallyHidden>
            {card.title}
          </SiteLink>
        </h3>
        <p className={styles.muted}>
          {card.isLocked ? <LockIcon size={14} /> : null}
          {stoppedAt(card, resumeAt ?? 0)}
        </p>
      </div>
      <details className={styles.more}>
        <summary>
          <span aria-hidden="true">⋯</span>
          <VisuallyHidden>More for {card.title}</VisuallyHidden>
        </summary>
        <div className={styles.menu}>
          <MediaForm
            action={paths.api.viewsAction("start-over")}
            mediaId={card.id}
            next={paths.media(card.type, card.slug)}
          >
            <button type="submit">Start over</button>
          </MediaForm>
          <MediaForm action={paths.api.viewsAction("seen")} mediaId={card.id}>
            <button type="submit">Mark as seen</button>
          </MediaForm>
          <MediaForm action={paths.api.viewsAction("hide")} mediaId={card.id}>
            <button type="submit">Remove</button>
          </MediaForm>
        </div>
      </details>
    </article>
  );
}

function resumeUrl({ type, slug }: ViewedCard["card"], resumeAt: number | null): string {
  return type === "photoSet" && resumeAt !== null ? paths.photo(slug, resumeAt) : paths.media(type, slug);
}

function stoppedAt(card: ViewedCard["card"], progress: number): string {
  if (card.type === "photoSet") return `Photo ${progress} of ${card.photoCount ?? progress}`;
  return `${clock(progress)} of ${clock(card.durationSeconds ?? progress)}`;
}
