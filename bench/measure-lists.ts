import { performance } from "node:perf_hooks";
import { type ListFilters, parseFilters } from "#app/domain/catalog/list-filters.ts";
import { listMedia, PAGE_SIZE, type PageRequest } from "#app/domain/catalog/list-media.server.ts";
import { findListPage } from "#app/domain/catalog/list-page.server.ts";
import { allowLongStatements, closeDatabase, db } from "#db/client.server.ts";

const PAGES_DEEP = 20;
const FIRST_PAGE = { after: null, before: null };

/** To this process: which list, and how often to ask for it. */
export interface Asked {
  list: string;
  times: number;
}

export interface Measured {
  /** Of each time, in milliseconds. */
  times: number[];
  /** Whether there was a page full to show. */
  isFull: boolean;
}

/** One catalogue's lists as a member sees them, whose pages are not remembered. Sends their names, then answers each Asked. */
async function measureLists(): Promise<void> {
  allowLongStatements();
  const lists = await prepareLists();
  process.on("message", async ({ list, times }: Asked) => process.send?.(await measure(lists, list, times)));
  process.once("disconnect", closeDatabase);
  process.send?.([...lists.keys()]);
}

type Load = () => ReturnType<typeof findListPage>;

async function measure(lists: Map<string, Load>, name: string, count: number): Promise<Measured> {
  const load = lists.get(name);
  if (!load) throw new Error(`there is no list ${name}`);
  const times: number[] = [];
  let shown = 0;
  for (let round = 0; round < count; round += 1) {
    const start = performance.now();
    const { cards } = await load();
    times.push(performance.now() - start);
    shown = cards.length;
  }
  return { times, isFull: shown === PAGE_SIZE };
}

async function prepareLists(): Promise<Map<string, Load>> {
  const [word] = await db.execute<{ common: string; second: string; rare: string }>(
    `SELECT (SELECT word FROM bench_words WHERE n = 1) AS common, (SELECT word FROM bench_words WHERE n = 2) AS second,
      (SELECT word FROM bench_words WHERE n = 1900) AS rare`,
  );
  const { common = "", second = "", rare = "" } = word ?? {};
  const [owner] = await db.execute<{ id: string }>("SELECT id FROM users LIMIT 1");
  const user = { id: owner?.id ?? "", role: "member" as const };
  const viewer = { isAdult: true, user, subscription: null };
  const queries = {
    newest: "",
    oldest: "sort=oldest",
    "most watched": "sort=most-watched",
    longest: "sort=longest",
    title: "sort=title",
    "one common tag": "tag=tag-1",
    "one rare tag, by title": "tag=tag-79&sort=title",
    "one creator": "creator=creator-1",
    "a small creator, most watched": "creator=creator-15&sort=most-watched",
    "creator and tag": "creator=creator-1&tag=tag-2",
    "length and access": "length=long&access=free",
    "a common word": `q=${common}`,
    "a rare word": `q=${rare}`,
    "a word and a tag": `q=${common}&tag=tag-1`,
    "two common words": `q=${common}+${second}`,
    "a word, by title": `q=${common}&sort=title`,
    "a word, a creator and a length": `q=light&creator=creator-1&length=long`,
    seen: "seen=seen",
    "not seen yet": "seen=unseen",
    "not seen yet, a tag, longest": "seen=unseen&tag=tag-1&sort=longest",
    "a typo": `q=${common.slice(0, 5)}x${common.slice(5)}`,
  };
  const loading = (filters: ListFilters, page: PageRequest) => () =>
    findListPage(viewer, "video", filters, page);
  const lists = Object.entries(queries).map(([name, query]): [string, Load] => [
    name,
    loading(parseFilters(new URLSearchParams(query)), FIRST_PAGE),
  ]);
  const newest = parseFilters(new URLSearchParams());
  return new Map([...lists, ["twenty pages on", loading(newest, await placeDeep(newest))]]);
}

async function placeDeep(filters: ListFilters): Promise<PageRequest> {
  let after: string | null = null;
  for (let page = 0; page < PAGES_DEEP; page += 1) {
    after = (await listMedia("video", filters, { after, before: null })).next;
  }
  return { after, before: null };
}

await measureLists();
