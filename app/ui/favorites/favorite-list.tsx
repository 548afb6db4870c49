import { useId } from "react";
import type { FavoriteFilters } from "#app/domain/favorites/favorite-filters.ts";
import type { FavoritesPage } from "#app/domain/favorites/list-favorites.server.ts";
import { paths } from "#app/paths.ts";
import { CardGrid } from "#app/ui/cards/card-grid.tsx";
import { HeartForms } from "#app/ui/cards/card-heart.tsx";
import { MediaCard } from "#app/ui/cards/media-card.tsx";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { EmptyState } from "#app/ui/parts/empty-state.tsx";
import { FavoriteTombstone } from "./favorite-tombstone.tsx";

type Favorite = FavoritesPage["favorites"][number];

export function FavoriteList({ favorites, filters }: { favorites: Favorite[]; filters: FavoriteFilters }) {
  const list = useId();
  if (favorites.length === 0) return <NoFavorites isFiltered={filters.q !== null || filters.type !== null} />;
  const shape = filters.type === "photoSet" ? "tall" : "wide";
  return (
    <>
      <CardGrid shape={shape}>
        {favorites.map((favorite) =>
          favorite.card ? (
            <MediaCard
              key={favorite.card.id}
              media={{ ...favorite.card, isFavorited: true }}
              shape={shape}
              anchor={`media-${favorite.card.id}`}
              list={list}
            />
          ) : (
            <FavoriteTombstone key={favorite.mediaId} mediaId={favorite.mediaId} />
          ),
        )}
      </CardGrid>
      <HeartForms list={list} hearts={[{ isFavorited: true }]} />
    </>
  );
}

function NoFavorites({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No favorites match">
        <p>
          Try other words or another kind, or{" "}
          <SiteLink to={paths.favorites()}>see all your favorites</SiteLink>.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No favorites yet">
      <p>
        Press the heart beside a video or a set, or below a photo, to keep it here. Start with the{" "}
        <SiteLink to={paths.list("video")}>videos</SiteLink> or the{" "}
        <SiteLink to={paths.list("photoSet")}>photos</SiteLink>.
      </p>
    </EmptyState>
  );
}
