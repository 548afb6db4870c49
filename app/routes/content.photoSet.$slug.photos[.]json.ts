import type { LoaderFunctionArgs } from "@remix-run/node";
import { listPhotoDownloads, photoView, storedPhotos } from "#app/domain/catalog/media/photos.server.ts";
import { paths } from "#app/paths.ts";
import type { LightboxSet } from "#app/ui/photos/lightbox/lightbox-set.ts";
import { openMedia } from "#app/web/media/open-media.server.ts";
import { isMember, requireAdult } from "#app/web/session/guards.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await requireAdult(request);
  const { media, decision, mayDownload, isOwnVisit, mayFavorite } = await openMedia(request, viewer, {
    type: "photoSet",
    slug: params.slug ?? "",
    pathOf: paths.photoList,
    part: storedPhotos,
  });
  const { id, title } = media;
  const views = media.part.map((photo) => photoView(id, photo, decision.allowed));
  const downloads = mayDownload ? await listPhotoDownloads(id) : null;
  const member = decision.allowed && isOwnVisit && isMember(viewer) ? viewer : null;
  const set: LightboxSet = {
    mediaId: id,
    title,
    count: views.length,
    photos: views.flatMap(({ picture, isFavorited, ...photo }) =>
      picture
        ? [
            {
              ...{ ...photo, picture, isFavorited: mayFavorite ? isFavorited : null },
              download: downloads?.get(photo.number) ?? null,
            },
          ]
        : [],
    ),
    progressSubject: member && {
      mediaId: id,
      viewerId: member.user.id,
      serverNow: member.session.now.getTime(),
    },
  };
  return Response.json(set);
}
