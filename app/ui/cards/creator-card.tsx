import { count } from "#app/counts.ts";
import type { CreatorCardView } from "#app/domain/catalog/cards/cards.server.ts";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { paths } from "#app/paths.ts";
import { PrefetchLink } from "#app/ui/navigation/site-link.tsx";
import { initials } from "#app/ui/parts/initials.ts";
import { Picture } from "#app/ui/parts/picture.tsx";
import { CARD_SIZES } from "./card-grid.tsx";
import styles from "./media-card.module.css";

interface CreatorCardProps {
  creator: CreatorCardView;
  priority?: boolean;
}

export function CreatorCard({ creator, priority = false }: CreatorCardProps) {
  return (
    <article className={styles.card}>
      <div className={styles.tall}>
        <Portrait
          className={styles.image}
          name={creator.name}
          picture={creator.portrait}
          sizes={CARD_SIZES.tall}
          priority={priority}
        />
      </div>
      <h3 className={styles.title}>
        <PrefetchLink to={paths.creator(creator.slug)}>{creator.name}</PrefetchLink>
      </h3>
      <p className={styles.counts}>{countsText(creator)}</p>
    </article>
  );
}

function countsText({ videoCount, photoSetCount }: CreatorCardView): string {
  const parts = [];
  if (videoCount > 0) parts.push(count(videoCount, "video"));
  if (photoSetCount > 0) parts.push(count(photoSetCount, "photo set"));
  return parts.join(" · ") || "Nothing published yet";
}

interface PortraitProps {
  name: string;
  picture: PictureView | null;
  sizes: string;
  priority?: boolean;
  className?: string | undefined;
}

export function Portrait({ name, picture, ...shown }: PortraitProps) {
  if (picture) return <Picture picture={picture} {...shown} />;
  return (
    <span className={styles.initials} aria-hidden="true">
      {initials(name)}
    </span>
  );
}
