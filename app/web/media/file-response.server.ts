import { LRUCache } from "lru-cache";
import { readRange } from "#app/domain/media/byte-range.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { log } from "#app/log.server.ts";
import type { Delivery } from "./delivery.server.ts";
import { handedOver, mayHandOver } from "./front-delivery.server.ts";

const RETRY_AFTER_SECONDS = 5;
/** Posters, captions and small photos are read in one piece, not as a stream. */
const SMALL_BYTES = 128 * 1024;
/** Reading a file takes a fifth of a poster's processor time. Keyed by hash, because a replaced file has another. */
const smallFiles = new LRUCache<string, Buffer<ArrayBuffer>>({
  maxSize: 16_000_000,
  sizeCalculation: ({ byteLength }) => byteLength + 1,
});

export async function fileResponse(request: Request, delivery: Delivery): Promise<Response> {
  const { file } = delivery;
  const tag = entityTag(file.hash);
  const isHead = request.method === "HEAD";
  const isUnchanged = isNotModified(request.headers.get("if-none-match"), tag);
  const isSmall = file.bytes <= SMALL_BYTES && !file.contentType.startsWith("video/");
  if (isSmall && !isHead && !isUnchanged && !request.headers.has("range")) return smallResponse(delivery);
  const stored = await mediaStorage.head(file.storageKey);
  if (stored?.bytes !== file.bytes) return missing(delivery);
  const headers = headersOf(delivery);
  if (isUnchanged) return new Response(null, { status: 304, headers: without(headers, "Content-Type") });
  const requested =
    !isHead && mayJoin(request.headers.get("if-range"), tag) ? request.headers.get("range") : null;
  const range = readRange(requested, file.bytes);
  if (range === "unsatisfiable") return emptyResponse(416, { "Content-Range": `bytes */${file.bytes}` });

  const part = range === "whole" ? { start: 0, end: file.bytes - 1 } : range;
  headers["Content-Length"] = String(part.end - part.start + 1);
  if (range !== "whole") headers["Content-Range"] = `bytes ${part.start}-${part.end}/${file.bytes}`;
  const status = range === "whole" ? 200 : 206;
  if (isHead || file.bytes === 0) return new Response(null, { status, headers });
  if (mayHandOver(request, range)) {
    const handed = await delivery.handOver();
    if ("path" in handed) return handedOver(handed, headersOf(delivery), range);
    return emptyResponse(handed.status, { "Retry-After": String(RETRY_AFTER_SECONDS) });
  }
  const body = await delivery.open(part);
  if ("status" in body) return emptyResponse(body.status, { "Retry-After": String(RETRY_AFTER_SECONDS) });
  return new Response(body, { status, headers });
}

async function smallResponse(delivery: Delivery): Promise<Response> {
  const bytes = await readSmall(delivery.file);
  if (bytes === null) return missing(delivery);
  const headers = { ...headersOf(delivery), "Content-Length": String(bytes.byteLength) };
  return new Response(bytes.byteLength > 0 ? bytes : null, { headers });
}

async function readSmall({ hash, storageKey, bytes: length }: Delivery["file"]) {
  const known = smallFiles.get(hash);
  if (known?.byteLength === length) return known;
  const bytes = await mediaStorage.read(storageKey);
  if (bytes?.byteLength !== length) return null;
  smallFiles.set(hash, bytes);
  return bytes;
}

function missing({ file }: Delivery): Response {
  log.error({ storageKey: file.storageKey }, "a media file is missing or has another length");
  return emptyResponse(404);
}

export function emptyResponse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status,
    headers: { "Cache-Control": "private, no-store", "Content-Length": "0", ...headers },
  });
}

type SentFile = Pick<Delivery, "file" | "isTeaser" | "isDownload">;

export function headersOf({ file, isTeaser, isDownload }: SentFile): Record<string, string> {
  return {
    "Content-Type": file.contentType,
    "Accept-Ranges": "bytes",
    ETag: entityTag(file.hash),
    // no-transform keeps proxies from compressing, which would break lengths and ranges.
    "Cache-Control": isTeaser ? "private, max-age=3600, no-transform" : "private, no-store, no-transform",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    ...(isDownload ? { "Content-Disposition": `attachment; filename="${file.name}"` } : {}),
  };
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}

function entityTag(hash: string): string {
  return `"${hash}"`;
}

function isNotModified(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}

/** Whether a part may be appended to the browser's copy; weak tags and dates cannot guarantee that. */
function mayJoin(ifRange: string | null, tag: string): boolean {
  return ifRange === null || ifRange.trim() === tag;
}
