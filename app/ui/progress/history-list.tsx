import type { HistoryPage } from "#app/domain/viewing/history.server.ts";
import type { ViewedCard } from "#app/domain/viewing/viewed-card.server.ts";
import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { clock } from "#app/ui/parts/clock.ts";
import { Picture } from "#app/ui/parts/picture.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { MediaForm } from "../forms/media-form.tsx";
import styles from "./progress.module.css";

type HistoryEntry = HistoryPage["entries"][number] & { day: string };

export function HistoryList({ entries }: { entries: HistoryEntry[] }) {
  const days = [...new Set(entries.map(({ day }) => day))];
  return days.map((day) => (
    <section key={day} className={styles.day}>
      <h2>{day}</h2>
      <ul className={styles.row}>
        {entries
          .filter((item) => item.day === day)
          .map((item) => (
            <li key={item.card ? item.card.id : item.mediaId}>
              {item.card ? <Entry {...item} /> : <Tombstone mediaId={item.mediaId} />}
            </li>
          ))}
      </ul>
    </section>
  ));
}

function Entry({ card, resumeAt }: ViewedCard) {
  return (
    <article className={styles.entry}>
      <div className={styles.thumb} data-preview={card.preview ?? undefined}>
        <Picture picture={card.cover} sizes="9rem" />
      </div>
      <div className={styles.words}>
        <h3>
          <SiteLink to={paths.media(card.type, card.slug)} className={styles.title}>
            {card.title}
          </SiteLink>
        </h3>
        <p className={styles.muted}>{progressText(card, resumeAt)}</p>
      </div>
      <ForgetForm mediaId={card.id} title={card.title} />
    </article>
  );
}

function Tombstone({ mediaId }: { mediaId: string }) {
  return (
    <article className={styles.entry}>
      <div className={styles.thumb} />
      <div className={styles.words}>
        <h3 className={styles.muted}>No longer available</h3>
      </div>
      <ForgetForm mediaId={mediaId} title="this" />
    </article>
  );
}

function ForgetForm({ mediaId, title }: { mediaId: string; title: string }) {
  return (
    <MediaForm action={paths.api.viewsAction("forget")} mediaId={mediaId}>
      <button type="submit" className={styles.remove}>
        Forget
        <VisuallyHidden> {title}</VisuallyHidden>
      </button>
    </MediaForm>
  );
}

function progressText(card: ViewedCard["card"], resumeAt: number | null): string {
  if (card.isCompleted) return "Seen";
  if (resumeAt === null) return "Opened";
  return card.type === "photoSet"
    ? `Photo ${resumeAt} of ${card.photoCount}`
    : `Stopped at ${clock(resumeAt)}`;
}
