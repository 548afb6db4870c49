import { performance } from "node:perf_hooks";
import { listCreators } from "#app/domain/catalog/creators/creators.server.ts";
import { parseStudioFilters } from "#app/domain/catalog/edit/studio-list/studio-filters.ts";
import { listStudioMedia } from "#app/domain/catalog/edit/studio-list/studio-list.server.ts";
import { type CreatorSort, type ListFilters, parseFilters } from "#app/domain/catalog/lists/list-filters.ts";
import { listMedia } from "#app/domain/catalog/lists/list-media.server.ts";
import { findListPage } from "#app/domain/catalog/lists/list-page.server.ts";
import type { PageRequest } from "#app/domain/catalog/lists/paging.server.ts";
import { parseFavoriteFilters } from "#app/domain/favorites/favorite-filters.ts";
import { listFavorites } from "#app/domain/favorites/list-favorites.server.ts";
import { listHistory } from "#app/domain/viewing/history.server.ts";
import type { MediaType } from "#app/paths.ts";
import { allowLongStatements, closeDatabase, db } from "#db/client.server.ts";
import { type OtherList, queriesOf, studioQueriesOf } from "./list-names.ts";

const PAGES_DEEP = 20;
const FIRST_PAGE = { after: null, before: null };

/** The message to this process: which list to load, and how often. */
export interface Asked {
  list: string;
  times: number;
}

export interface Measured {
  /** One duration per load, in milliseconds. */
  times: number[];
  /** The number of media or creators on the page. */
  shown: number;
}

/**
 * Measures one catalogue's lists as a member sees them, because a member's pages are not cached. Sends the list
 * names, then answers each Asked.
 */
async function measureLists(): Promise<void> {
  allowLongStatements();
  const lists = await prepareLists();
  process.on("message", async ({ list, times }: Asked) => process.send?.(await measure(lists, list, times)));
  process.once("disconnect", closeDatabase);
  process.send?.([...lists.keys()]);
}

/** Loads a page; resolves to the number of entries on it. */
type Load = () => Promise<number>;

async function measure(lists: Map<string, Load>, name: string, count: number): Promise<Measured> {
  const load = lists.get(name);
  if (!load) throw new Error(`there is no list ${name}`);
  const times: number[] = [];
  let shown = 0;
  for (let round = 0; round < count; round += 1) {
    const start = performance.now();
    shown = await load();
    times.push(performance.now() - start);
  }
  return { times, shown };
}

async function prepareLists(): Promise<Map<string, Load>> {
  const words = await db.execute<{ n: number; word: string }>("SELECT n, word FROM bench_words");
  const wordOf = new Map(words.map(({ n, word }) => [n, word]));
  const { ofVideos, ofSets } = queriesOf((n) => wordOf.get(n) ?? "");
  const [owner] = await db.execute<{ id: string }>("SELECT id FROM users LIMIT 1");
  const user = { id: owner?.id ?? "", role: "member" as const };
  const viewer = { isAdult: true, user, subscription: null };
  const loading =
    (type: MediaType, filters: ListFilters, page: PageRequest = FIRST_PAGE): Load =>
    async () => {
      const { cards, corrected } = await findListPage(viewer, type, filters, page);
      // The page also redirects to the corrected search.
      return corrected ? await loading(type, { ...filters, q: corrected })() : cards.length;
    };
  const media = (type: MediaType, queries: Record<string, string>): [string, Load][] =>
    Object.entries(queries).map(([name, query]) => [
      name,
      loading(type, parseFilters(new URLSearchParams(query))),
    ]);
  const creators = (q: string | null, sort: CreatorSort): Load => {
    return async () => (await listCreators(viewer, { q, sort, ...FIRST_PAGE })).creators.length;
  };
  const favorites = (query: string): Load => {
    const filters = parseFavoriteFilters(new URLSearchParams(query));
    return async () => (await listFavorites(viewer, filters)).favorites.length;
  };
  const newest = parseFilters(new URLSearchParams());
  const others: Record<OtherList, Load> = {
    "twenty pages on": loading("video", newest, await positionDeep(newest)),
    "creators, by name": creators(null, "name"),
    "creators, newest": creators(null, "newest"),
    "creators with the most": creators(null, "most"),
    "creators, a common word": creators("creator", "name"),
    favorites: favorites(""),
    "favorites, by title": favorites("type=video&sort=title"),
    "favorites, a word": favorites("q=light"),
    history: async () => (await listHistory(viewer, null)).entries.length,
  };
  const { single, combined } = studioQueriesOf((n) => wordOf.get(n) ?? "");
  const studio = Object.entries({ ...single, ...combined }).map(([name, query]): [string, Load] => {
    const filters = parseStudioFilters(new URLSearchParams(query));
    return [name, async () => (await listStudioMedia(filters)).items.length];
  });
  return new Map<string, Load>([
    ...media("video", ofVideos),
    ...media("photoSet", ofSets),
    ...studio,
    ...Object.entries(others),
  ]);
}

async function positionDeep(filters: ListFilters): Promise<PageRequest> {
  let after: string | null = null;
  for (let page = 0; page < PAGES_DEEP; page += 1) {
    after = (await listMedia("video", filters, { after, before: null })).next;
  }
  return { after, before: null };
}

await measureLists();
