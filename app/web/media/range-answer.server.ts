import { type ByteRange, readRange } from "#app/domain/media/storage/storage.ts";
import { emptyResponse } from "./file-refusals.server.ts";

export interface RangeAnswer {
  range: ByteRange | "whole";
  bytes: ByteRange;
  init: { status: number; headers: Record<string, string> };
}

/** RFC 9110. A HEAD request, or one that continues another version, gets the whole file. */
export function answerRange(
  request: Request,
  size: number,
  headers: Record<string, string> & { ETag: string },
): RangeAnswer | Response {
  const tag = headers.ETag;
  if (hasVersion(request.headers.get("if-none-match"), tag)) {
    const { "Content-Type": _, ...unchanged } = headers;
    return new Response(null, { status: 304, headers: unchanged });
  }
  const isObeyed = request.method !== "HEAD" && isSameVersion(request.headers.get("if-range"), tag);
  const range = readRange(isObeyed ? request.headers.get("range") : null, size);
  if (range === "unsatisfiable") return emptyResponse(416, { "Content-Range": `bytes */${size}` });
  if (range === "whole") {
    const init = { status: 200, headers: { ...headers, "Content-Length": String(size) } };
    return { range, bytes: { start: 0, end: size - 1 }, init };
  }
  const { start, end } = range;
  const sizes = {
    "Content-Length": String(end - start + 1),
    "Content-Range": `bytes ${start}-${end}/${size}`,
  };
  return { range, bytes: { start, end }, init: { status: 206, headers: { ...headers, ...sizes } } };
}

function hasVersion(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}

/** Weak tags and dates cannot prove a version. */
function isSameVersion(ifRange: string | null, tag: string): boolean {
  return ifRange === null || ifRange.trim() === tag;
}
