import { performance } from "node:perf_hooks";
import { correctSearch } from "#app/domain/catalog/correct-search.server.ts";
import { parseFilters } from "#app/domain/catalog/list-filters.ts";
import { listMedia } from "#app/domain/catalog/list-media.server.ts";
import { allowLongStatements, closeDatabase, db } from "#db/client.server.ts";

const WARM_UP = 5;
const ROUNDS = 60;
const PAGES_DEEP = 20;
const FIRST_PAGE = { after: null, before: null };

/** Prints JSON: milliseconds at the 95th percentile by kind of list, as the domain function takes them, uncached. */
async function measureLists(): Promise<void> {
  allowLongStatements();
  const [word] = await db.execute<{ common: string; rare: string }>(
    "SELECT (SELECT word FROM bench_words WHERE n = 1) AS common, (SELECT word FROM bench_words WHERE n = 1900) AS rare",
  );
  const common = word?.common ?? "";
  const rare = word?.rare ?? "";
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
    "a typo": `q=${common.slice(0, 5)}x${common.slice(5)}`,
  };
  const results: Record<string, number> = {};
  for (const [name, query] of Object.entries(lists)) {
    results[name] = await percentile(() => searchList(query));
  }
  let after: string | null = null;
  results["twenty pages on"] = await percentile(async () => {
    for (let page = 0; page < PAGES_DEEP && after === null; page += 1) {
      after = (await listMedia("video", parseFilters(new URLSearchParams()), FIRST_PAGE)).next;
    }
    await listMedia("video", parseFilters(new URLSearchParams()), { after, before: null });
  });
  process.stdout.write(JSON.stringify(results));
  await closeDatabase();
}

async function searchList(query: string): Promise<void> {
  const filters = parseFilters(new URLSearchParams(query));
  const corrected = filters.q ? await correctSearch(filters.q) : null;
  await listMedia("video", corrected ? { ...filters, q: corrected } : filters, FIRST_PAGE);
}

async function percentile(work: () => Promise<void>): Promise<number> {
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
