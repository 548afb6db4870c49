import type { MediaCardView } from "#app/domain/catalog/cards/cards.server.ts";
import type { RelatedMedia } from "#app/domain/catalog/lists/related.server.ts";
import styles from "./catalog.module.css";
import { MediaGrid } from "./media-grid.tsx";

export function RelatedSections({ shoot, related }: Omit<RelatedMedia, "next">) {
  return (
    <div className={styles.related}>
      <RelatedSection title="From the same shoot" cards={shoot} />
      <RelatedSection title="Related" cards={related} />
    </div>
  );
}

/** Videos and photo sets have separate grids, because their covers differ in shape. */
function RelatedSection({ title, cards }: { title: string; cards: MediaCardView[] }) {
  if (cards.length === 0) return null;
  const videos = cards.filter(({ type }) => type === "video");
  const sets = cards.filter(({ type }) => type === "photoSet");
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {videos.length > 0 ? <MediaGrid cards={videos} shape="wide" lazy /> : null}
      {sets.length > 0 ? <MediaGrid cards={sets} shape="tall" lazy /> : null}
    </section>
  );
}
