import type { MediaCardView } from "#app/domain/catalog/cards/cards.server.ts";
import { CardGrid } from "#app/ui/cards/card-grid.tsx";
import { FavoriteButton } from "#app/ui/cards/favorite-button.tsx";
import { MediaCard } from "#app/ui/cards/media-card.tsx";

const FIRST_ROW = 4;

interface MediaGridProps {
  cards: MediaCardView[];
  shape: "wide" | "tall";
  isOnlyList?: boolean;
  hasWholeRows?: boolean;
  lazy?: boolean;
}

export function MediaGrid({
  cards,
  shape,
  isOnlyList = false,
  hasWholeRows = false,
  lazy = false,
}: MediaGridProps) {
  return (
    <CardGrid shape={shape} hasWholeRows={hasWholeRows}>
      {cards.map((media, index) => (
        <MediaCard
          key={media.id}
          media={media}
          shape={shape}
          priority={!lazy && index < FIRST_ROW}
          {...(isOnlyList ? { anchor: `media-${media.id}` } : {})}
          actions={
            media.isFavorited === null ? null : (
              <FavoriteButton mediaId={media.id} title={media.title} isFavorited={media.isFavorited} />
            )
          }
        />
      ))}
    </CardGrid>
  );
}
