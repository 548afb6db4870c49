import type { MediaCardView } from "#app/domain/catalog/card.ts";
import { CardGrid } from "#app/ui/cards/card-grid.tsx";
import { MediaCard } from "#app/ui/cards/media-card.tsx";

const FIRST_ROW = 4;

interface MediaGridProps {
  cards: MediaCardView[];
  shape: "wide" | "tall";
}

export function MediaGrid({ cards, shape }: MediaGridProps) {
  return (
    <CardGrid shape={shape}>
      {cards.map((media, index) => (
        <MediaCard key={media.id} media={media} priority={index < FIRST_ROW} />
      ))}
    </CardGrid>
  );
}
