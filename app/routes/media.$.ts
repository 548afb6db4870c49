import type { LoaderFunctionArgs } from "@remix-run/node";
import { emptyResponse, fileResponse } from "#app/web/media/file-response.server.ts";
import { mediaAnswer } from "#app/web/media/media-answer.server.ts";
import { beginVideo, isOneRangeTooMany } from "#app/web/media/media-limits.server.ts";
import { isFromAnotherSite } from "#app/web/request/same-origin.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";
import { findViewerNow } from "#app/web/session/viewer.server.ts";

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
  const isVideo = answer.file.contentType.startsWith("video/");
  return fileResponse(request, {
    file: answer.file,
    isTeaser: answer.isTeaser,
    asAttachment: isDownload,
    begin: async () => (isVideo ? beginVideo(request, viewer, mayContinue) : { mayContinue, end: () => {} }),
  });
}
