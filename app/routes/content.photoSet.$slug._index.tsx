import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { findAround } from "#app/domain/catalog/around.server.ts";
import { blurView } from "#app/domain/catalog/card-view.ts";
import { listPhotos } from "#app/domain/catalog/contents.server.ts";
import { isFavorite } from "#app/domain/favorites/favorites.server.ts";
import { resumeAt } from "#app/domain/viewing/place.ts";
import { findPlace } from "#app/domain/viewing/places.server.ts";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "#app/ui/catalog/catalog.module.css";
import { LockedPanel } from "#app/ui/locked-panel.tsx";
import { MediaWords } from "#app/ui/media-words.tsx";
import { Page } from "#app/ui/page.tsx";
import { PhotoGrid } from "#app/ui/photos/photo-grid.tsx";
import { useSavedPlaces } from "#app/ui/player/saved-places.ts";
import { AroundSections } from "#app/ui/viewing/around.tsx";
import { FavoriteAction } from "#app/ui/viewing/media-actions.tsx";
import { PlaceLine } from "#app/ui/viewing/place-line.tsx";
import { requireAdult } from "#app/web/guards.server.ts";
import { openMedia } from "#app/web/open-media.server.ts";
import { pageMeta } from "#app/web/page-meta.ts";
import { teaserOf } from "#app/web/teaser.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({ title: data?.set.title, canonical: data && paths.media("photoSet", data.set.slug) });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const { media, decision } = await openMedia(viewer, request, "photoSet", params.slug ?? "", (slug) =>
    paths.media("photoSet", slug),
  );
  const { id, slug, title, description, creators, tags, color } = media;
  const userId = viewer.user?.id ?? null;
  const [photos, place, isFavorited, around] = await Promise.all([
    listPhotos(id, decision.allowed),
    userId && decision.allowed ? findPlace(userId, id) : null,
    userId ? isFavorite(userId, id) : null,
    findAround(viewer, media),
  ]);
  return {
    set: { id, slug, title, description, creators, tags },
    blur: blurView({ id, type: "photoSet", color, alt: "" }),
    teaser: teaserOf(decision, media.access, viewer, paths.media("photoSet", slug)),
    photos,
    resumeAt: resumeAt(place),
    isCompleted: place?.isCompleted ?? false,
    isFavorited,
    around,
  };
}

export default function PhotoSetPage() {
  const { set, blur, teaser, photos, around, ...own } = useLoaderData<typeof loader>();
  useSavedPlaces();
  const media = { ...set, type: "photoSet" } as const;
  const openCount = photos.filter(({ picture }) => picture !== null).length;
  return (
    <Page>
      <MediaWords
        {...media}
        actions={
          <>
            {teaser === null && own.resumeAt === null && photos.length > 0 ? (
              <Link className={buttonClass()} to={paths.photo(set.slug, 1)}>
                View {photos.length} photos
              </Link>
            ) : null}
            <PlaceLine media={media} {...own} photoCount={photos.length} />
            <FavoriteAction media={media} isFavorited={own.isFavorited} />
          </>
        }
      />
      {teaser ? <LockedPanel blur={blur} {...teaser} /> : null}
      <section className={styles.section}>
        {teaser && openCount > 0 ? (
          <h2>
            {openCount === 1 ? "A preview" : `${openCount} previews`} of {photos.length} photos
          </h2>
        ) : null}
        <PhotoGrid slug={set.slug} photos={photos} />
      </section>
      <AroundSections {...around} />
    </Page>
  );
}
