import { z } from "zod";
import { missing } from "../state/fault.ts";
import { range, read, text, whole } from "./params.ts";

const USUAL_LIMIT = 10;
const paging = z.object({
  limit: whole.min(1).max(100).default(USUAL_LIMIT),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: range.optional(),
});

/** One page of the objects, newest first. */
export function pageOf<T extends { id: string; created?: number }>(
  url: string,
  objects: T[],
  params: unknown,
): { object: "list"; data: T[]; has_more: boolean; url: string } {
  const { limit, starting_after, ending_before, created } = read(paging, params);
  const all = objects.toReversed().filter((object) => isWithin(object.created ?? 0, created));
  if (ending_before !== undefined) {
    const before = all.slice(0, indexOf(all, ending_before, "ending_before"));
    return { object: "list", data: before.slice(-limit), has_more: before.length > limit, url };
  }
  const start = starting_after === undefined ? 0 : indexOf(all, starting_after, "starting_after") + 1;
  return {
    object: "list",
    data: all.slice(start, start + limit),
    has_more: all.length > start + limit,
    url,
  };
}

/** A list that is embedded in another object. */
export function wholeList<T>(url: string, data: T[]) {
  return { object: "list" as const, data, has_more: false, url };
}

function indexOf(objects: { id: string }[], id: string, param: string): number {
  const index = objects.findIndex((object) => object.id === id);
  if (index === -1) throw missing("object", id, param);
  return index;
}

function isWithin(at: number, limits: z.infer<typeof range> | undefined): boolean {
  if (!limits) return true;
  const { gt, gte, lt, lte }: { gt?: number; gte?: number; lt?: number; lte?: number } = limits;
  return (
    (gt === undefined || at > gt) &&
    (gte === undefined || at >= gte) &&
    (lt === undefined || at < lt) &&
    (lte === undefined || at <= lte)
  );
}
