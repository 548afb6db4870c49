import type { LoaderFunctionArgs } from "@remix-run/node";
import { prepareDelivery } from "#app/web/media/delivery.server.ts";
import { RECENTLY } from "#app/web/media/file-access.server.ts";
import { emptyResponse, fileResponse } from "#app/web/media/file-response.server.ts";
import { isOneRangeTooMany } from "#app/web/request/limits.server.ts";
import { isFromAnotherSite } from "#app/web/request/same-origin.server.ts";
import { anyone, anyoneRecently } from "#app/web/session/guards.server.ts";

const VIDEO = /\.mp4$/;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const path = params["*"] ?? "";
  const isVideo = VIDEO.test(path);
  // A page has dozens of pictures and one video.
  const viewer = await (isVideo ? anyone(request) : anyoneRecently(request));
  if (isFromAnotherSite(request)) return emptyResponse(403);
  if (await isOneRangeTooMany(request, viewer.user?.id)) return emptyResponse(429, { "Retry-After": "1" });
  const isDownload = new URL(request.url).searchParams.has("download");
  const delivery = await prepareDelivery(
    request,
    viewer,
    { path, isDownload },
    isVideo ? undefined : RECENTLY,
  );
  return "status" in delivery ? emptyResponse(delivery.status) : fileResponse(request, delivery);
}
