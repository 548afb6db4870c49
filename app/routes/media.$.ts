import type { LoaderFunctionArgs } from "@remix-run/node";
import { prepareDelivery } from "#app/web/media/delivery.server.ts";
import { emptyResponse, fileResponse } from "#app/web/media/file-response.server.ts";
import { answerFront } from "#app/web/media/front-calls.server.ts";
import { isOneRangeTooMany } from "#app/web/request/limits.server.ts";
import { isFromAnotherSite } from "#app/web/request/same-origin.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  const wanted = {
    path: params["*"] ?? "",
    isDownload: new URL(request.url).searchParams.has("download"),
  };
  const answer = await answerFront(request, viewer, wanted);
  if (answer !== null) return answer;
  if (isFromAnotherSite(request)) return emptyResponse(403);
  if (await isOneRangeTooMany(request, viewer.user?.id)) return emptyResponse(429, { "Retry-After": "1" });
  const delivery = await prepareDelivery(request, viewer, wanted);
  return "status" in delivery ? emptyResponse(delivery.status) : fileResponse(request, delivery);
}
