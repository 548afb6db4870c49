import type { CreatorCardView } from "#app/domain/catalog/card.ts";
import { paths } from "#app/paths.ts";
import { PrefetchLink } from "#app/ui/catalog/prefetch-link.tsx";
import { count } from "./length.ts";
import styles from "./media-card.module.css";
import { Portrait } from "./portrait.tsx";

interface CreatorCardProps {
  creator: CreatorCardView;
  /** In the first row: its picture is loaded at once. */
  priority?: boolean;
}

const SIZES = "(min-width: 75em) 15rem, (min-width: 48em) 24vw, 46vw";

export function CreatorCard({ creator, priority = false }: CreatorCardProps) {
  return (
    <article className={styles.card}>
      <div className={styles.tall}>
        <Portrait
          className={styles.image}
          name={creator.name}
          picture={creator.portrait}
          sizes={SIZES}
          priority={priority}
        />
      </div>
      <div className={styles.words}>
        <h3 className={styles.title}>
          <PrefetchLink to={paths.creator(creator.slug)}>{creator.name}</PrefetchLink>
        </h3>
        <p className={styles.works}>{worksOf(creator)}</p>
      </div>
    </article>
  );
}

function worksOf({ videoCount, photoSetCount }: CreatorCardView): string {
  const parts = [];
  if (videoCount > 0) parts.push(count(videoCount, "video"));
  if (photoSetCount > 0) parts.push(count(photoSetCount, "photo set"));
  return parts.join(" · ") || "Nothing published yet";
}
