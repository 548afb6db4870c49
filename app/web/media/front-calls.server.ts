import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import type { Viewer } from "#app/domain/viewer/viewer.ts";
import { isFromAnotherSite } from "../request/same-origin.server.ts";
import { frontCallOf } from "../server/front-requests.server.ts";
import { decideFile, type FileRequest } from "./file-access.server.ts";
import { emptyResponse, headersOf } from "./file-response.server.ts";
import { freeFrontLease, keepFrontLease } from "./front-lease.server.ts";
import { TYPES_BY_ENDING } from "./front-types.ts";

/** nginx repeats a yes to the same cookies and file for this long. */
const KEPT_SECONDS = 5;
const NO = emptyResponse.bind(null, 403);

/** Answers nginx's own questions about a file; null for a visitor's request. */
export async function answerFront(
  request: Request,
  viewer: Viewer,
  wanted: FileRequest,
): Promise<Response | null> {
  const call = frontCallOf(request);
  const lease = request.headers.get("x-front-lease") ?? "";
  if (call === "file") return answerFile(request, viewer, wanted);
  if (call === "stream") return answerStream(request, viewer, wanted, lease);
  if (call === "stream-check") return answerStalled(viewer, wanted, lease);
  if (call !== "stream-end") return null;
  await freeFrontLease(lease);
  return emptyResponse(204);
}

/** After a no, nginx passes the visitor's request on, which gets the refusal in full. */
async function answerFile(request: Request, viewer: Viewer, wanted: FileRequest): Promise<Response> {
  if (isFromAnotherSite(request)) return NO();
  const decision = await decideFile(viewer, wanted);
  if (decision.status !== 200) return NO();
  const { file, isTeaser } = decision;
  if (TYPES_BY_ENDING[file.storageKey.split(".").at(-1) ?? ""] !== file.contentType) return NO();
  if ((await mediaStorage.head(file.storageKey))?.bytes !== file.bytes) return NO();
  const { "Content-Type": _, ...headers } = headersOf({ file, isTeaser, isDownload: wanted.isDownload });
  return emptyResponse(204, {
    ...headers,
    "X-Accel-Expires": String(KEPT_SECONDS),
    "X-Front-File": file.storageKey,
  });
}

/** The slot of a video that stands still is not renewed. */
async function answerStalled(viewer: Viewer, wanted: FileRequest, lease: string): Promise<Response> {
  const { status } = await decideFile(viewer, wanted);
  if (status === 200) return emptyResponse(204);
  await freeFrontLease(lease);
  return NO();
}

async function answerStream(
  request: Request,
  viewer: Viewer,
  wanted: FileRequest,
  lease: string,
): Promise<Response> {
  const { status } = await decideFile(viewer, wanted);
  const kept = status === 200 ? await keepFrontLease(request, viewer, lease) : null;
  if (kept !== null) return emptyResponse(204, { "X-Front-Lease": kept });
  await freeFrontLease(lease);
  return NO();
}
