// Needed because a page for each refused search took all of a web process at 200 connections: docs/limits.md.
import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { paths } from "#app/paths.ts";
import { limitKeyOf } from "./client-address.server.ts";
import type { RequestRefusal } from "./request-context.server.ts";
import { retryAfter } from "./retry-after.ts";

/** More than a person sends by hand after being told to wait. */
const MAX_BY_HAND = 20;
const MAX_ADDRESSES = 10_000;
const SEARCHED = [paths.list("video"), paths.list("photoSet"), paths.creators(), paths.favorites()].map(
  (path) => path.toLowerCase(),
);

const refusals = new LRUCache<string, number>({ max: MAX_ADDRESSES });

export function countRefusedSearch(key: string, seconds: number): void {
  refusals.set(key, (refusals.get(key) ?? 0) + 1, { ttl: seconds * 1000 });
}

export function refusalOfFlood(request: IncomingMessage): RequestRefusal | null {
  if (refusals.size === 0 || !isSearchPage(request.url ?? "")) return null;
  const key = limitKeyOf(request);
  if ((refusals.get(key) ?? 0) < MAX_BY_HAND) return null;
  return {
    status: 429,
    sentence: "There are too many searches from your network. Wait a few seconds, then try again.",
    headers: Object.entries(retryAfter(Math.max(1, Math.ceil(refusals.getRemainingTTL(key) / 1000)))),
  };
}

/** Not for the data of a client navigation: the router could not read the sentence. */
function isSearchPage(url: string): boolean {
  const { pathname, searchParams } = new URL(`http://site.invalid${url}`);
  return !!searchParams.get("q") && SEARCHED.includes(pathname.toLowerCase().replace(/\/$/, ""));
}
