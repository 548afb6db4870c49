import type { LoaderFunctionArgs } from "@remix-run/node";
import { fileStems } from "#app/domain/media/renditions.ts";
import { deliver } from "#app/web/media/deliver.server.ts";
import { hasDraftLink } from "#app/web/media/draft-cookie.server.ts";
import { CURRENT_FILES, decideFile, grantOf, RECENT_FILES } from "#app/web/media/file-access.server.ts";
import { emptyResponse } from "#app/web/media/file-refusals.server.ts";
import { isOverRangeLimit } from "#app/web/request/limits.server.ts";
import { isFromAnotherSite } from "#app/web/request/same-origin.server.ts";
import { anyone, findRecentViewer, findViewer } from "#app/web/session/guards.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await anyone(request, isWholeVideo(params) ? findViewer : findRecentViewer);
  if (isFromAnotherSite(request)) return emptyResponse(403);
  if (await isOverRangeLimit(request, viewer.user?.id)) return emptyResponse(429, { "Retry-After": "1" });
  const wanted = {
    path: params["*"] ?? "",
    isDownload: new URL(request.url).searchParams.has("download"),
    hasDraftLink: (mediaId: string) => hasDraftLink(request, mediaId),
  };
  const decision = await decideFile(viewer, wanted, isWholeVideo(params) ? CURRENT_FILES : RECENT_FILES);
  if (decision.status !== 200) return emptyResponse(decision.status);
  return deliver(grantOf(request, viewer, wanted, decision), decision.file, request);
}

/**
 * A decision of the last five seconds is recent enough for the dozens of other files of a page, and for the segments of a
 * rung, of which a player requests one every three seconds.
 */
function isWholeVideo({ "*": path = "" }: LoaderFunctionArgs["params"]): boolean {
  return path.endsWith(".mp4") && !path.includes(`/${fileStems.rung}-`);
}
