import type { LoaderFunctionArgs } from "@remix-run/node";
import { PRIVATE_FILE_HEADERS } from "#app/web/media/deliver.server.ts";
import { hasDraftLink } from "#app/web/media/draft-cookie.server.ts";
import { emptyResponse, overRangeLimit, withoutSentence } from "#app/web/media/file-refusals.server.ts";
import { decideMaster } from "#app/web/media/master-playlist.server.ts";
import { isOverRangeLimit } from "#app/web/request/limits.server.ts";
import { isFromAnotherSite } from "#app/web/request/same-origin.server.ts";
import { anyone } from "#app/web/session/guards.server.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  if (isFromAnotherSite(request)) return emptyResponse(403);
  if (await isOverRangeLimit(request, viewer.user?.id)) return withoutSentence(overRangeLimit());
  const decision = await decideMaster(
    viewer,
    { mediaId: params.id ?? "", query: new URL(request.url).searchParams },
    (mediaId) => hasDraftLink(request, mediaId),
  );
  if (decision.status !== 200) return emptyResponse(decision.status);
  return new Response(decision.playlist, {
    headers: {
      "Content-Type": decision.contentType,
      "Content-Length": String(Buffer.byteLength(decision.playlist)),
      ...PRIVATE_FILE_HEADERS,
    },
  });
}
