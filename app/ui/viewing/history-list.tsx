import { Link } from "@remix-run/react";
import type { HistoryPage } from "#app/domain/viewing/seen.server.ts";
import { paths } from "#app/paths.ts";
import { clock } from "#app/ui/cards/length.ts";
import { Picture } from "#app/ui/photos/picture.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { MediaForm } from "./media-form.tsx";
import styles from "./viewing.module.css";

type Seen = HistoryPage["seen"][number];

/** By day, the last first. Days are those of UTC, the same for the server and every browser. */
export function HistoryList({ seen, today }: { seen: Seen[]; today: string }) {
  const days = [...new Set(seen.map(dayOf))];
  return days.map((day) => (
    <section key={day} className={styles.day}>
      <h2>{dayName(day, today)}</h2>
      <ul className={styles.row}>
        {seen
          .filter((item) => dayOf(item) === day)
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

function dayOf({ lastViewedAt }: Seen): string {
  return lastViewedAt.slice(0, 10);
}

function dayName(day: string, today: string): string {
  if (day === today) return "Today";
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
}
