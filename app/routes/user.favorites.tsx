import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { favoriteQuery, parseFavoriteFilters } from "#app/domain/favorites/favorite-filters.ts";
import { listFavorites } from "#app/domain/favorites/list-favorites.server.ts";
import { listPhotoFavorites } from "#app/domain/favorites/list-photo-favorites.server.ts";
import { paths } from "#app/paths.ts";
import { PageLinks } from "#app/ui/catalog/page-links.tsx";
import { FavoriteFilterForm } from "#app/ui/favorites/favorite-filter-form.tsx";
import { FavoriteList } from "#app/ui/favorites/favorite-list.tsx";
import { PhotoFavoriteList } from "#app/ui/favorites/photo-favorite-list.tsx";
import { Page } from "#app/ui/parts/page.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { limitSearch } from "#app/web/request/limits.server.ts";
import { requireMember } from "#app/web/session/guards.server.ts";

export const meta: MetaFunction = () => pageMeta({ title: "Favorites", robots: "noindex" });

export async function loader({ request }: LoaderFunctionArgs) {
  const [viewer] = await Promise.all([requireMember(request), limitSearch(request)]);
  const filters = parseFavoriteFilters(new URL(request.url).searchParams);
  const { page, pages, counts, ...list } = filters.ofPhotos
    ? { favorites: null, ...(await listPhotoFavorites(viewer, filters.page)) }
    : { photos: null, ...(await listFavorites(viewer, filters)) };
  const urlOf = (number: number) =>
    number >= 1 && number <= pages ? paths.favorites(favoriteQuery({ ...filters, page: number })) : null;
  return { ...list, counts, filters, page, pages, previous: urlOf(page - 1), next: urlOf(page + 1) };
}

export default function FavoritesPage() {
  const { filters, favorites, photos, counts, page, pages, previous, next } = useLoaderData<typeof loader>();
  return (
    <Page>
      <h1>Favorites</h1>
      <FavoriteFilterForm filters={filters} counts={counts} />
      {(photos ?? favorites).length > 0 ? (
        <h2>
          <VisuallyHidden>{photos ? "Favorite photos" : "Favorite works"}</VisuallyHidden>
        </h2>
      ) : null}
      {photos ? (
        <PhotoFavoriteList photos={photos} />
      ) : (
        <FavoriteList favorites={favorites} filters={filters} />
      )}
      {pages > 1 ? (
        <p>
          Page {page} of {pages}
        </p>
      ) : null}
      <PageLinks previous={previous} next={next} />
    </Page>
  );
}
