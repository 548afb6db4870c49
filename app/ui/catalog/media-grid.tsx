import { useId } from "react";
import type { MediaCardView } from "#app/domain/catalog/cards/cards.server.ts";
import { type CARD_SIZES, CardGrid } from "#app/ui/cards/card-grid.tsx";
import { HeartForms } from "#app/ui/cards/card-heart.tsx";
import { MediaCard } from "#app/ui/cards/media-card.tsx";

const FIRST_ROW = 4;

interface MediaGridProps {
  cards: MediaCardView[];
  shape: keyof typeof CARD_SIZES;
  /** For the only list of a page: two lists could show the same item. */
  hasAnchors?: boolean;
  hasWholeRows?: boolean;
  lazy?: boolean;
}

export function MediaGrid({
  cards,
  shape,
  hasAnchors = false,
  hasWholeRows = false,
  lazy = false,
}: MediaGridProps) {
  const list = useId();
  return (
    <>
      <CardGrid shape={shape} hasWholeRows={hasWholeRows}>
        {cards.map((media, index) => (
          <MediaCard
            key={media.id}
            media={media}
            shape={shape}
            priority={!lazy && index < FIRST_ROW}
            list={list}
            {...(hasAnchors ? { anchor: `media-${media.id}` } : {})}
          />
        ))}
      </CardGrid>
      <HeartForms list={list} hearts={cards} />
    </>
  );
}
