import type { MediaCardView } from "#app/domain/catalog/card.ts";
import { CardGrid } from "#app/ui/cards/card-grid.tsx";
import { MediaCard } from "#app/ui/cards/media-card.tsx";
import { FavoriteButton } from "#app/ui/viewing/favorite-button.tsx";

const FIRST_ROW = 4;

interface MediaGridProps {
  cards: MediaCardView[];
  shape: "wide" | "tall";
  /** The only list of its page: a form that comes back without JavaScript comes back to its card. */
  isWholePage?: boolean;
  /** As many to a row as let 8 wide or 6 tall cards end in a whole one. */
  hasWholeRows?: boolean;
  /** Below the fold. */
  lazy?: boolean;
}

export function MediaGrid({
  cards,
  shape,
  isWholePage = false,
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
          {...(isWholePage ? { anchor: `media-${media.id}` } : {})}
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
