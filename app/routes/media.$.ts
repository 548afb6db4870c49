import type { LoaderFunctionArgs } from "@remix-run/node";
import { emptyResponse, fileResponse } from "#app/web/file-response.server.ts";
import { anyone } from "#app/web/guards.server.ts";
import { mediaAnswer } from "#app/web/media-access.server.ts";
import { beginFilm, isOneRangeTooMany } from "#app/web/media-limits.server.ts";
import { isFromAnotherSite } from "#app/web/same-origin.server.ts";
import { findViewerNow } from "#app/web/viewer.server.ts";

/** Every byte of every cover, rendition, photo, caption, portrait and avatar. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  if (isFromAnotherSite(request)) return emptyResponse(403);
  if (await isOneRangeTooMany(request, viewer)) return emptyResponse(429, { "Retry-After": "1" });
  const path = params["*"] ?? "";
  const isDownload = new URL(request.url).searchParams.has("download");
  const answer = await mediaAnswer(viewer, path, isDownload);
  if (answer.status !== 200) return emptyResponse(answer.status);

  const mayContinue = async () =>
    (await mediaAnswer(await findViewerNow(request), path, isDownload)).status === 200;
  const { user } = viewer;
  const isCounted = user !== null && answer.file.contentType.startsWith("video/");
  return fileResponse(request, {
    file: answer.file,
    isTeaser: answer.isTeaser,
    asAttachment: isDownload,
    begin: async () => (isCounted ? beginFilm(user.id, mayContinue) : { mayContinue, end: () => {} }),
  });
}
