import type { ServedFile } from "#app/domain/catalog/media/served-file.server.ts";
import type { readRange } from "#app/domain/media/byte-range.ts";
import type { Viewer } from "#app/domain/viewer/viewer.ts";
import { frontCallOf } from "../server/front-requests.server.ts";
import { type FrontLease, takeFrontLease } from "./front-lease.server.ts";
import { isVideo } from "./video-slot.server.ts";

export interface HandOver {
  /** A location of nginx that only this site's answers reach. */
  path: string;
  lease: FrontLease;
}

/** nginx heeds these headers where this site does not. */
const OTHER_CONDITIONS = ["if-match", "if-unmodified-since"];
/** nginx and this site read these alike; any other Range gets the whole file from here. */
const PLAIN_RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/;

export function mayHandOver(request: Request, range: ReturnType<typeof readRange>): boolean {
  if (frontCallOf(request) !== "visit") return false;
  const requested = request.headers.get("range");
  if (requested !== null && (range === "whole" || !PLAIN_RANGE.test(requested))) return false;
  return !OTHER_CONDITIONS.some((name) => request.headers.has(name));
}

export async function handOver(
  request: Request,
  viewer: Viewer,
  file: ServedFile,
): Promise<HandOver | { status: 429 }> {
  if (!isVideo(file)) return { path: `/_file/${file.storageKey}`, lease: "" };
  const lease = await takeFrontLease(request, viewer);
  if (typeof lease !== "string") return lease;
  return { path: `/_video/${viewer.user ? "members" : "visitors"}/${file.storageKey}`, lease };
}

export function handedOver(
  { path, lease }: HandOver,
  { "Accept-Ranges": ranges = "", ...headers }: Record<string, string>,
  range: ReturnType<typeof readRange>,
): Response {
  // For a whole file, nginx names it too.
  const named = range === "whole" ? headers : { ...headers, "Accept-Ranges": ranges };
  return new Response(null, { headers: { ...named, "X-Accel-Redirect": path, "X-Front-Lease": lease } });
}
