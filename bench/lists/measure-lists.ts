import { performance } from "node:perf_hooks";
import { listCreators } from "#app/domain/catalog/creators/creators.server.ts";
import { listStudioNames } from "#app/domain/catalog/edit/names/list-names.server.ts";
import { countProblems } from "#app/domain/catalog/edit/problems/problems.server.ts";
import { parseStudioFilters } from "#app/domain/catalog/edit/studio-list/studio-filters.ts";
import { listStudioMedia } from "#app/domain/catalog/edit/studio-list/studio-list.server.ts";
import { type CreatorSort, parseFilters } from "#app/domain/catalog/lists/list-filters.ts";
import { listMedia } from "#app/domain/catalog/lists/list-media.server.ts";
import { findListPage } from "#app/domain/catalog/lists/list-page.server.ts";
import type { PageRequest } from "#app/domain/catalog/lists/paging.server.ts";
import { findRelated } from "#app/domain/catalog/lists/related.server.ts";
import { parseFavoriteFilters } from "#app/domain/favorites/favorite-filters.ts";
import { listFavorites } from "#app/domain/favorites/list-favorites.server.ts";
import { listHistory } from "#app/domain/viewing/history.server.ts";
import { allowLongStatements, closeDatabase, db } from "#db/client.server.ts";
import { measuredLists, type Other, RELATED } from "./list-names.ts";

const PAGES_DEEP = 40;
const FIRST_PAGE = { after: null, before: null };

/** The message to this process: which list to load, and how often. */
export interface Asked {
  list: string;
  times: number;
}

type Load = () => Promise<unknown>;

/** Measures as a member sees the lists, whose pages are not cached. Answers each Asked with durations in milliseconds. */
async function measureLists(): Promise<void> {
  allowLongStatements();
  const lists = await prepareLists();
  process.on("message", async ({ list, times }: Asked) => process.send?.(await measure(lists, list, times)));
  process.once("disconnect", closeDatabase);
  process.send?.("ready");
}

async function measure(lists: Map<string, Load>, name: string, count: number): Promise<number[]> {
  const load = lists.get(name);
  if (!load) throw new Error(`there is no list ${name}`);
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const start = performance.now();
    await load();
    times.push(performance.now() - start);
  }
  return times;
}

async function prepareLists(): Promise<Map<string, Load>> {
  const words = await db.execute<{ n: number; word: string }>("SELECT n, word FROM bench_words");
  const wordOf = new Map(words.map(({ n, word }) => [n, word]));
  const word = (n: number) => wordOf.get(n) ?? "";
  const [owner] = await db.execute<{ id: string }>("SELECT id FROM users LIMIT 1");
  const viewer = {
    isAdult: true,
    user: { id: owner?.id ?? "", role: "member" as const },
    subscription: null,
  };
  const slugs = await db.execute<{ slug: string }>(
    "SELECT slug FROM media WHERE type = 'video' ORDER BY md5(slug) LIMIT 100",
  );
  const filtersOf = (query: string) => parseFilters(new URLSearchParams(query));
  const videos = (query: string, page: PageRequest = FIRST_PAGE): Load => {
    const filters = filtersOf(query);
    return async () => {
      const { corrected } = await findListPage(viewer, "video", filters, page);
      // The page also redirects to the corrected search.
      if (corrected) await findListPage(viewer, "video", { ...filters, q: corrected }, page);
    };
  };
  const studio = (query: string): Load => {
    const filters = parseStudioFilters(new URLSearchParams(query));
    return () => listStudioMedia(filters);
  };
  const creators = (q: string | null, sort: CreatorSort): Load => {
    return () => listCreators(viewer, { q, sort, ...FIRST_PAGE });
  };
  const favorites = (query: string): Load => {
    const filters = parseFavoriteFilters(new URLSearchParams(query));
    return () => listFavorites(viewer, filters);
  };
  const deep = async (query: string) => videos(query, { after: await positionDeep(query), before: null });
  const others: Record<Other, Load> = {
    "forty pages on": await deep(""),
    "forty pages on, a common word": await deep(`q=${word(1)}`),
    "creators, by name": creators(null, "name"),
    "creators with the most": creators(null, "most"),
    "creators, a common word": creators("creator", "name"),
    favorites: favorites(""),
    "favorites, by title": favorites("type=video&sort=title"),
    "favorites, a word": favorites("q=light"),
    history: () => listHistory(viewer, null),
    [RELATED]: () =>
      findRelated(viewer, "video", slugs[Math.floor(Math.random() * slugs.length)]?.slug ?? ""),
    "the counts of problems": countProblems,
    "creators by works": () => listStudioNames("creator", { q: null, sort: "works" }, FIRST_PAGE),
    "tags by works": () => listStudioNames("tag", { q: null, sort: "works" }, FIRST_PAGE),
  };
  const lists = measuredLists(word).map(({ group, name, query }): [string, Load] => [
    name,
    group === "studio" ? studio(query) : videos(query),
  ]);
  return new Map([...lists, ...Object.entries(others)]);

  async function positionDeep(query: string): Promise<string | null> {
    let after: string | null = null;
    for (let page = 0; page < PAGES_DEEP; page += 1) {
      after = (await listMedia("video", filtersOf(query), { after, before: null })).next;
    }
    return after;
  }
}

await measureLists();
