import type { Around } from "#app/domain/catalog/around.server.ts";
import type { MediaCardView } from "#app/domain/catalog/card.ts";
import styles from "#app/ui/catalog/catalog.module.css";
import { MediaGrid } from "#app/ui/catalog/media-grid.tsx";

/** What a film or a set leads on to. */
export function AroundSections({ shoot, related }: Around) {
  return (
    <>
      <AroundSection title="From the same shoot" cards={shoot} />
      <AroundSection title="Related" cards={related} />
    </>
  );
}

/** Films and sets stand apart, each in the shape of its covers. */
function AroundSection({ title, cards }: { title: string; cards: MediaCardView[] }) {
  if (cards.length === 0) return null;
  const films = cards.filter(({ type }) => type === "video");
  const sets = cards.filter(({ type }) => type === "photoSet");
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {films.length > 0 ? <MediaGrid cards={films} shape="wide" lazy /> : null}
      {sets.length > 0 ? <MediaGrid cards={sets} shape="tall" lazy /> : null}
    </section>
  );
}
