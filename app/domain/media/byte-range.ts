import parseRange from "range-parser";
import type { ByteRange } from "./storage/storage.ts";

const SUFFIX = /^bytes=-0*([1-9]\d*)$/;
const REVERSED = /^bytes=(\d+)-(\d+)$/;

/** "whole" also for several ranges and an unreadable header: RFC 9110 lets a server ignore those. */
export function readRange(header: string | null, size: number): ByteRange | "whole" | "unsatisfiable" {
  if (header === null || header.includes(",")) return "whole";
  // The library refuses a suffix longer than the file, which means all of it, and calls "5-2" unsatisfiable.
  const suffix = SUFFIX.exec(header)?.[1];
  if (suffix && Number(suffix) >= size && size > 0) return { start: 0, end: size - 1 };
  const [, first, last] = REVERSED.exec(header) ?? [];
  if (first !== undefined && Number(first) > Number(last)) return "whole";

  const ranges = parseRange(size, header);
  if (ranges === -1) return header.startsWith("bytes=") ? "unsatisfiable" : "whole";
  if (ranges === -2 || ranges.type !== "bytes") return "whole";
  const [range] = ranges;
  return range ?? "unsatisfiable";
}
