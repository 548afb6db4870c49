import { parse } from "range-parser";
import type { ByteRange } from "./storage/storage.ts";

const MALFORMED = 1;

/** "whole" also for several ranges and an unreadable header: RFC 9110 lets a server ignore those. */
export function readRange(header: string | null, size: number): ByteRange | "whole" | "unsatisfiable" {
  if (header === null || header.includes(",")) return "whole";
  const { code, type, ranges } = parse(size, header);
  if (code === MALFORMED || type !== "bytes") return "whole";
  const [range] = ranges;
  return range ?? "unsatisfiable";
}
