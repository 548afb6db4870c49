import type { LoaderFunctionArgs } from "@remix-run/node";
import { openConnection } from "#app/web/live/live-connections.server.ts";
import { startLiveUpdates } from "#app/web/live/live-updates.server.ts";
import { contextOf } from "#app/web/request/request-context.server.ts";
import { RETRY_AFTER_SECONDS, retryAfter } from "#app/web/request/retry-after.ts";
import { isFromAnotherSite } from "#app/web/request/same-origin.server.ts";
import { anyone, isMember } from "#app/web/session/guards.server.ts";

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // Compression would delay events and take more memory than the rest of a live connection.
  "Cache-Control": "private, no-store, no-transform",
  "X-Accel-Buffering": "no",
  // The connection is not counted among the others, so it must not be reused.
  Connection: "close",
};

/** Server-sent events name what changed, never its content. */
export async function loader({ request }: LoaderFunctionArgs) {
  const viewer = await anyone(request);
  if (isFromAnotherSite(request)) return new Response(null, { status: 403 });
  // An EventSource does not reconnect after 204.
  if (!isMember(viewer) || !viewer.isAdult) return new Response(null, { status: 204 });
  if (!request.headers.get("accept")?.includes("text/event-stream") || request.method === "HEAD")
    return new Response(null, { status: 406 });
  const context = contextOf(request);
  const body = context && openConnection(viewer, context.response);
  if (body === null) {
    return new Response(null, { status: 503, headers: retryAfter(RETRY_AFTER_SECONDS.busy) });
  }
  startLiveUpdates();
  return new Response(body, { headers: HEADERS });
}
