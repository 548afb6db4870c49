import { readRange } from "#app/domain/media/delivery/byte-range.ts";
import { entityTag, isNotModified, mayJoin } from "#app/domain/media/delivery/preconditions.ts";
import type { ServedFile } from "#app/domain/media/delivery/served-file.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { fileStream } from "./file-stream.server.ts";
import { log } from "./log.server.ts";
import type { Flow } from "./media-limits.server.ts";
import { findOutgoing } from "./outgoing.server.ts";

export interface FileAnswer {
  file: ServedFile;
  /** Everyone past the age gate may see it, so this browser may keep it for an hour. */
  isTeaser: boolean;
  asAttachment: boolean;
  /** Asked once bytes are to flow. Null when too many of this person's flow already. */
  begin: () => Promise<Flow | null>;
}

const RETRY_AFTER_SECONDS = 5;

/** Answers GET and HEAD after the access rule has said yes. */
export async function fileResponse(request: Request, answer: FileAnswer): Promise<Response> {
  const { file } = answer;
  const stored = await mediaStorage.head(file.storageKey);
  if (stored?.bytes !== file.bytes) {
    log.error({ storageKey: file.storageKey }, "a media file is missing or has another length");
    return emptyResponse(404);
  }
  const headers = headersOf(answer);
  const tag = entityTag(file.hash);
  if (isNotModified(request.headers.get("if-none-match"), tag)) {
    return new Response(null, { status: 304, headers: without(headers, "Content-Type") });
  }
  const isHead = request.method === "HEAD";
  const asked =
    !isHead && mayJoin(request.headers.get("if-range"), tag) ? request.headers.get("range") : null;
  const range = readRange(asked, file.bytes);
  if (range === "unsatisfiable") return emptyResponse(416, { "Content-Range": `bytes */${file.bytes}` });

  const part = range === "whole" ? { start: 0, end: file.bytes - 1 } : range;
  headers["Content-Length"] = String(part.end - part.start + 1);
  if (range !== "whole") headers["Content-Range"] = `bytes ${part.start}-${part.end}/${file.bytes}`;
  const status = range === "whole" ? 200 : 206;
  if (isHead || file.bytes === 0) return new Response(null, { status, headers });
  const flow = await answer.begin();
  if (!flow) return emptyResponse(429, { "Retry-After": String(RETRY_AFTER_SECONDS) });
  const body = fileStream({
    open: () => mediaStorage.open(file.storageKey, part),
    flow,
    outgoing: findOutgoing(request),
  });
  return new Response(body, { status, headers });
}

export function emptyResponse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status,
    headers: { "Cache-Control": "private, no-store", "Content-Length": "0", ...headers },
  });
}

function headersOf({ file, isTeaser, asAttachment }: FileAnswer): Record<string, string> {
  return {
    "Content-Type": file.contentType,
    "Accept-Ranges": "bytes",
    ETag: entityTag(file.hash),
    // no-transform keeps remix-serve's compression away, which would break lengths and ranges.
    "Cache-Control": isTeaser ? "private, max-age=3600, no-transform" : "private, no-store, no-transform",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    ...(asAttachment ? { "Content-Disposition": `attachment; filename="${file.name}"` } : {}),
  };
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}
