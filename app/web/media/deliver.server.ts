import type { ServedFile } from "#app/domain/catalog/media/served-file.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { type ByteRange, readRange } from "#app/domain/media/storage/storage.ts";
import { log } from "#app/log.server.ts";
import { isThroughFront } from "../request/front-requests.server.ts";
import { contextOf } from "../request/request-context.server.ts";
import { emptyResponse, refusedVideo } from "./file-refusals.server.ts";
import { fileStream } from "./file-stream.server.ts";
import type { VideoSlot } from "./video-slot.server.ts";

/** A viewer's permission for one file, and the checks that go on while it is sent. */
export interface Grant {
  /** Everyone past the age gate may see it, so the browser may cache it for an hour. */
  isTeaser: boolean;
  isDownload: boolean;
  /** False when the viewer may no longer have it. */
  check: () => Promise<boolean>;
  /** For a video that this process sends. 429: the viewer has as many as they may have; 503: the process sends all it can. */
  takeSlot: (form: "playback" | "part" | "download") => Promise<VideoSlot | { status: 429 | 503 }>;
  /** False when the viewer's slots are taken. */
  holdForPart: () => Promise<boolean>;
}

/**
 * `whole`: pictures, captions. `playback`: a video that plays while it comes, and ends with the access. `part`: a closed
 * range of at most 8 MB of a video, as HLS players request them. `download`. The last two are sent to their end.
 */
type Form = "whole" | "part" | "playback" | "download";

const MAX_PART_BYTES = 8 * 1024 * 1024;
/** Captions and small photos are read in one piece, not as a stream. */
const SMALL_BYTES = 128 * 1024;
/** nginx reads the client's Range header itself, so it gets only those that it understands as the site does. */
const PLAIN_RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/;
/** nginx obeys these headers and the site does not, so a request with one is sent from here. */
const OTHER_CONDITIONS = ["if-match", "if-unmodified-since"];

/** The only way out for stored bytes: decision 143. It answers conditions, HEAD and ranges, and chooses who sends. */
export async function deliver(grant: Grant, file: ServedFile, request: Request): Promise<Response> {
  const stored = await mediaStorage.head(file.storageKey);
  if (stored?.bytes !== file.bytes) return missing(file);
  const headers = headersOf(grant, file);
  if (isNotModified(request.headers.get("if-none-match"), headers.ETag)) {
    const { "Content-Type": _, ...others } = headers;
    return new Response(null, { status: 304, headers: others });
  }
  const isHead = request.method === "HEAD";
  const isRead = !isHead && mayJoin(request.headers.get("if-range"), headers.ETag);
  const range = readRange(isRead ? request.headers.get("range") : null, file.bytes);
  if (range === "unsatisfiable") return emptyResponse(416, { "Content-Range": `bytes */${file.bytes}` });

  const { status, part, sizes } = range === "whole" ? wholeOf(file) : partOf(file, range);
  const init = { status, headers: { ...headers, ...sizes } };
  if (isHead || file.bytes === 0) return new Response(null, init);
  const form = formOf(grant, file, range, request);
  if (form === "part" && !(await grant.holdForPart())) return refusedVideo(429);
  if (form !== "playback" && maySendByFront(request, range)) return sentByFront(file, headers, range);
  if (form === "whole" && status === 200 && file.bytes <= SMALL_BYTES) {
    const bytes = await mediaStorage.read(file.storageKey);
    return bytes?.byteLength === file.bytes ? new Response(bytes, init) : missing(file);
  }
  const body = await openStream(grant, file, part, form, request);
  return "status" in body ? refusedVideo(body.status) : new Response(body, init);
}

function formOf(grant: Grant, file: ServedFile, range: ByteRange | "whole", request: Request): Form {
  if (!file.contentType.startsWith("video/")) return "whole";
  if (grant.isDownload) return "download";
  const isOpen = range === "whole" || request.headers.get("range")?.trimEnd().endsWith("-") === true;
  return !isOpen && range.end - range.start < MAX_PART_BYTES ? "part" : "playback";
}

function maySendByFront(request: Request, range: ByteRange | "whole"): boolean {
  if (!isThroughFront(request)) return false;
  const requested = request.headers.get("range");
  if (requested !== null && (range === "whole" || !PLAIN_RANGE.test(requested))) return false;
  return !OTHER_CONDITIONS.some((name) => request.headers.has(name));
}

/** For a whole file, nginx adds Accept-Ranges and the length itself. */
function sentByFront(
  { storageKey }: ServedFile,
  { "Accept-Ranges": ranges, ...headers }: FileHeaders,
  range: ByteRange | "whole",
): Response {
  const named = range === "whole" ? headers : { ...headers, "Accept-Ranges": ranges };
  return new Response(null, { headers: { ...named, "X-Accel-Redirect": `/_file/${storageKey}` } });
}

async function openStream(
  grant: Grant,
  file: ServedFile,
  part: ByteRange,
  form: Form,
  request: Request,
): Promise<ReadableStream<Uint8Array> | { status: 429 | 503 }> {
  const slot = form === "whole" ? null : await grant.takeSlot(form);
  if (slot !== null && "status" in slot) return slot;
  const release = () => slot?.release();
  try {
    const source = await mediaStorage.open(file.storageKey, part);
    const response = contextOf(request)?.response;
    if (response) return fileStream({ source, response, check: () => goesOn(grant, form, slot), release });
    // The client is gone, so nobody reads this response.
    source.destroy();
  } catch (error) {
    release();
    throw error;
  }
  release();
  return { status: 503 };
}

async function goesOn(grant: Grant, form: Form, slot: VideoSlot | null): Promise<boolean> {
  if (form === "playback" && !(await grant.check())) return false;
  return slot === null || slot.keep();
}

function missing({ storageKey }: ServedFile): Response {
  log.error({ storageKey }, "a media file is missing, or its length is not that of its row");
  return emptyResponse(404);
}

function wholeOf({ bytes }: ServedFile) {
  const sizes = { "Content-Length": String(bytes) };
  return { status: 200, part: { start: 0, end: bytes - 1 }, sizes };
}

function partOf({ bytes }: ServedFile, { start, end }: ByteRange) {
  const sizes = {
    "Content-Length": String(end - start + 1),
    "Content-Range": `bytes ${start}-${end}/${bytes}`,
  };
  return { status: 206, part: { start, end }, sizes };
}

type FileHeaders = ReturnType<typeof headersOf>;

function headersOf({ isTeaser, isDownload }: Grant, { contentType, hash, name }: ServedFile) {
  return {
    "Content-Type": contentType,
    "Accept-Ranges": "bytes",
    ETag: `"${hash}"`,
    // no-transform keeps proxies from compressing, which would break lengths and ranges.
    "Cache-Control": isTeaser ? "private, max-age=3600, no-transform" : "private, no-store, no-transform",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    ...(isDownload ? { "Content-Disposition": `attachment; filename="${name}"` } : {}),
  };
}

function isNotModified(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}

/** If-Range must name exactly this version: weak tags and dates cannot prove it. */
function mayJoin(ifRange: string | null, tag: string): boolean {
  return ifRange === null || ifRange.trim() === tag;
}
