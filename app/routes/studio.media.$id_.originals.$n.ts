import type { LoaderFunctionArgs } from "@remix-run/node";
import { findOriginal } from "#app/domain/catalog/originals/originals.server.ts";
import { recordFetch } from "#app/domain/catalog/originals/record-fetch.server.ts";
import { hasRight } from "#app/domain/staff/rights.ts";
import { deliver } from "#app/web/media/deliver.server.ts";
import { downloadRefusal, emptyResponse } from "#app/web/media/file-refusals.server.ts";
import { startSending } from "#app/web/media/running-videos.server.ts";
import { isFromAnotherSite } from "#app/web/request/same-origin.server.ts";
import { actorOf, findViewerNow, requireStaff } from "#app/web/session/guards.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const member = await requireStaff(request, "media.original");
  if (isFromAnotherSite(request)) return emptyResponse(403);
  const [mediaId, number] = [params.id ?? "", params.n ?? ""];
  const original = await findOriginal(mediaId, number);
  if (original === null) return emptyResponse(404);
  if (original.isTakenDown) return downloadRefusal(original.photo === null ? "video" : "photo", 410);
  // A HEAD request gets no bytes.
  if (request.method === "GET") await recordFetch(actorOf(member), mediaId, original);
  return deliver(
    {
      ...{ isTeaser: false, isDownload: true, savedAs: original.fileName },
      // A large download outlasts a recent sign-in, so only the role is looked at again.
      hasAccess: async () =>
        hasRight(await findViewerNow(request), "media.original") &&
        (await findOriginal(mediaId, number))?.isTakenDown === false,
      startSending: (video) => startSending(request, member, { ...video, item: mediaId }),
    },
    original.file,
    request,
  );
}
