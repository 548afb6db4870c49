import type { LoaderFunctionArgs } from "@remix-run/node";
import { prepareDelivery } from "#app/web/media/delivery.server.ts";
import { RECENTLY } from "#app/web/media/file-access.server.ts";
import { emptyResponse, fileResponse } from "#app/web/media/file-response.server.ts";
import { answerFront } from "#app/web/media/front-calls.server.ts";
import { mayShareFile, shareFile } from "#app/web/media/front-share.server.ts";
import { isOneRangeTooMany } from "#app/web/request/limits.server.ts";
import { isFromAnotherSite } from "#app/web/request/same-origin.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";
import { findRecentViewer, findViewer } from "#app/web/session/viewer.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await anyone(request, isVideo(params) ? findViewer : findRecentViewer);
  const isDownload = new URL(request.url).searchParams.has("download");
  const wanted = { path: params["*"] ?? "", isDownload };
  const answer = await answerFront(request, viewer, wanted);
  if (answer !== null) return answer;
  if (isFromAnotherSite(request)) return emptyResponse(403);
  if (await isOneRangeTooMany(request, viewer.user?.id)) return emptyResponse(429, { "Retry-After": "1" });
  const isShared = await mayShareFile(request);
  const find = isShared || isVideo(params) ? undefined : RECENTLY;
  const delivery = await prepareDelivery(request, viewer, wanted, find);
  if ("status" in delivery) return emptyResponse(delivery.status);
  const response = await fileResponse(request, delivery);
  return isShared ? shareFile(response) : response;
}

/** A page has one video and dozens of other files. */
function isVideo(params: LoaderFunctionArgs["params"]): boolean {
  return params["*"]?.endsWith(".mp4") ?? false;
}
