import { performance } from "node:perf_hooks";
import { parseFilters } from "#app/domain/catalog/list-filters.ts";
import { listMedia, PAGE_SIZE } from "#app/domain/catalog/list-media.server.ts";
import { findListPage } from "#app/domain/catalog/list-page.server.ts";
import { allowLongStatements, closeDatabase, db } from "#db/client.server.ts";

const WARM_UP = 5;
const ROUNDS = 60;
const PAGES_DEEP = 20;
const FIRST_PAGE = { after: null, before: null };

export interface Measured {
  /** The 95th percentile. */
  ms: number;
  /** Whether there was a page full to show. */
  isFull: boolean;
}

/** Prints JSON: what each kind of list takes a member, whose pages are not remembered. */
async function measureLists(): Promise<void> {
  allowLongStatements();
  const [word] = await db.execute<{ common: string; second: string; rare: string }>(
    `SELECT (SELECT word FROM bench_words WHERE n = 1) AS common, (SELECT word FROM bench_words WHERE n = 2) AS second,
      (SELECT word FROM bench_words WHERE n = 1900) AS rare`,
  );
  const { common = "", second = "", rare = "" } = word ?? {};
  const [owner] = await db.execute<{ id: string }>("SELECT id FROM users LIMIT 1");
  const viewerId = owner?.id ?? "";
  const lists = {
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
  const viewer = { isAdult: true, user: { id: viewerId, role: "member" as const }, subscription: null };
  const results: Record<string, Measured> = {};
  for (const [name, query] of Object.entries(lists)) {
    const filters = parseFilters(new URLSearchParams(query));
    const list = () => findListPage(viewer, "video", filters, FIRST_PAGE);
    results[name] = { ms: await percentile(list), isFull: (await list()).cards.length === PAGE_SIZE };
  }
  const newest = parseFilters(new URLSearchParams());
  let after: string | null = null;
  for (let page = 0; page < PAGES_DEEP; page += 1) {
    after = (await listMedia("video", newest, { after, before: null })).next;
  }
  const deep = { after, before: null };
  results["twenty pages on"] = {
    ms: await percentile(() => findListPage(viewer, "video", newest, deep)),
    isFull: true,
  };
  process.stdout.write(JSON.stringify(results));
  await closeDatabase();
}

async function percentile(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const start = performance.now();
    await work();
    if (round >= WARM_UP) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)] ?? 0;
}

await measureLists();
