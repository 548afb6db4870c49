import { Link } from "@remix-run/react";
import type { HistoryPage } from "#app/domain/viewing/seen.server.ts";
import { paths } from "#app/paths.ts";
import { clock } from "#app/ui/cards/length.ts";
import { Picture } from "#app/ui/photos/picture.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { MediaForm } from "./media-form.tsx";
import styles from "./viewing.module.css";

/** `day` in words; equal ones stand together. */
type Seen = HistoryPage["seen"][number] & { day: string };

/** By day, the last first. */
export function HistoryList({ seen }: { seen: Seen[] }) {
  const days = [...new Set(seen.map(({ day }) => day))];
  return days.map((day) => (
    <section key={day} className={styles.day}>
      <h2>{day}</h2>
      <ul className={styles.row}>
        {seen
          .filter((item) => item.day === day)
          .map((item) => (
            <li key={item.card.id}>
              <Entry {...item} />
            </li>
          ))}
      </ul>
    </section>
  ));
}

function Entry({ card, resumeAt, isGone }: Seen) {
  return (
    <article className={styles.entry}>
      <div className={styles.thumb}>{isGone ? null : <Picture picture={card.cover} sizes="9rem" />}</div>
      <div className={styles.words}>
        {isGone ? (
          <h3 className={styles.muted}>No longer available</h3>
        ) : (
          <>
            <h3>
              <Link to={paths.media(card.type, card.slug)} className={styles.title}>
                {card.title}
              </Link>
            </h3>
            <p className={styles.muted}>{placeOf(card, resumeAt)}</p>
          </>
        )}
      </div>
      <MediaForm action={paths.api.viewsAction("forget")} mediaId={card.id}>
        <button type="submit" className={styles.remove}>
          Forget
          <VisuallyHidden>{isGone ? " this" : ` ${card.title}`}</VisuallyHidden>
        </button>
      </MediaForm>
    </article>
  );
}

function placeOf(card: Seen["card"], resumeAt: number | null): string {
  if (card.isCompleted) return "Seen to the end";
  if (resumeAt === null) return "Opened";
  return card.type === "photoSet"
    ? `Photo ${resumeAt} of ${card.photoCount}`
    : `Stopped at ${clock(resumeAt)}`;
}
