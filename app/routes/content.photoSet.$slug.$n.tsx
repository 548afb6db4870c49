import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { photoDownload, photoView, storedPhotoAt } from "#app/domain/catalog/media/photos.server.ts";
import { lockedPicture } from "#app/domain/catalog/media/picture-view.ts";
import { paths, photoAnchor } from "#app/paths.ts";
import { FavoriteAction } from "#app/ui/favorites/favorite-action.tsx";
import { DownloadLink } from "#app/ui/parts/download-link.tsx";
import { LockedPanel } from "#app/ui/parts/locked-panel.tsx";
import { Page } from "#app/ui/parts/page.tsx";
import { StaffMark } from "#app/ui/parts/staff-mark.tsx";
import { PhotoStage } from "#app/ui/photos/photo-stage.tsx";
import { findLockedOffer, findOpenNeighbors } from "#app/web/media/locked-offer.server.ts";
import { lockedPanel } from "#app/web/media/locked-panel.ts";
import { openMedia } from "#app/web/media/open-media.server.ts";
import { recordPhoto } from "#app/web/media/record-photo.server.ts";
import { isPublicPage } from "#app/web/media/staff-mark.ts";
import type { PageHandle } from "#app/web/pages/page-cache.server.tsx";
import { pageMeta } from "#app/web/pages/page-meta.ts";
import { isMember, requireAdult } from "#app/web/session/guards.server.ts";

/** The largest integer of PostgreSQL. */
const MAX_POSITION = 2_147_483_647;

export const handle: PageHandle = { isSharedBySignedOut: isPublicPage };

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta({ title: data && `${data.set.title}, ${data.position} of ${data.count}`, robots: "noindex" });

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const requested = params.n ?? "";
  const wanted = Number.parseInt(requested, 10) || 1;
  const { media, decision, mayDownload, mayFavorite, seenBy, isOwnVisit, mark } = await openMedia(
    request,
    viewer,
    {
      type: "photoSet",
      slug: params.slug ?? "",
      pathOf: (slug) => paths.photo(slug, wanted),
      part: (viewerId) => storedPhotoAt(Math.min(Math.max(wanted, 1), MAX_POSITION), viewerId),
    },
  );
  const { id, slug, title, color, coverVersion } = media;
  const count = media.photoCount ?? 0;
  const position = Math.min(Math.max(wanted, 1), Math.max(count, 1));
  if (String(position) !== requested)
    throw redirect(paths.photo(slug, position) + new URL(request.url).search);

  const member = decision.allowed && isOwnVisit && isMember(viewer) ? viewer : null;
  const isRecorded =
    member !== null && (await recordPhoto(request, member, { mediaId: id, progress: position }));
  const neighbors = decision.allowed
    ? { previous: position > 1 ? position - 1 : null, next: position < count ? position + 1 : null }
    : await findOpenNeighbors(seenBy, id, position);
  const locked = lockedPanel(decision, media.access, seenBy, paths.photo(slug, position));
  const photo = media.part && photoView(id, media.part, decision.allowed);
  return {
    set: { id, slug, title },
    position,
    count,
    neighbors,
    mark,
    picture: photo?.picture ?? null,
    favorite: photo?.picture && mayFavorite ? { number: photo.number, isFavorited: photo.isFavorited } : null,
    download: mayDownload && media.part ? photoDownload(id, media.part) : null,
    blur: lockedPicture({ id, type: "photoSet", color, coverVersion }),
    locked: locked && { ...locked, plan: (await findLockedOffer(seenBy, media.access)).plan },
    progressSubject:
      member !== null && !isRecorded
        ? { mediaId: id, viewerId: member.user.id, serverNow: member.session.now.getTime() }
        : null,
  };
}

export default function PhotoPage() {
  const { picture, blur, locked, mark, favorite, download, ...photo } = useLoaderData<typeof loader>();
  const { set, position } = photo;
  return (
    <Page>
      {mark ? <StaffMark {...mark} here={paths.photo(set.slug, position)} /> : null}
      <PhotoStage
        {...photo}
        picture={picture}
        as={mark?.as ?? null}
        isLocked={locked !== null}
        anchor={favorite ? photoAnchor(set.id, favorite.number) : undefined}
        actions={
          <>
            {favorite ? (
              <FavoriteAction
                media={{ ...set, type: "photoSet" }}
                photo={{ number: favorite.number, position }}
                isFavorited={favorite.isFavorited}
              />
            ) : null}
            {download ? <DownloadLink {...download} /> : null}
          </>
        }
      >
        {picture === null && locked ? <LockedPanel blur={blur} {...locked} /> : null}
      </PhotoStage>
    </Page>
  );
}
