import { LRUCache } from "lru-cache";

/** Longer than a browser takes to ask for a page's covers. */
const KEPT_MS = 30_000;
const MAX_MEDIA = 20_000;
const pages = new LRUCache<string, string[]>({ max: MAX_MEDIA, ttl: KEPT_MS });

/** Notes that one page shows the covers of these media, so that the first cover brings the others' rows along. */
export function noteShownTogether(mediaIds: string[]): void {
  for (const id of mediaIds) pages.set(id, mediaIds);
}

/** The media whose covers were last shown on one page with this one's, which is among them. */
export function shownWith(mediaId: string): string[] {
  return pages.get(mediaId) ?? [mediaId];
}
