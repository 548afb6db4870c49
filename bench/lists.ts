import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { startEmbedded } from "#db/embedded.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { fillCatalogue } from "./fill-catalogue.ts";
import type { Asked, Measured } from "./measure-lists.ts";

const SMALL = 1_000;
const LARGE = 200_000;
const RATIO_LIMIT = 1.3;
const WARM_UP = 30;
/**
 * The quietest of several turns counts: whatever else the computer does only ever adds time. So a list over the limit
 * gets more turns: on a busy computer a quiet one is late to come, and no number of them hides what grows with the size.
 */
const TURNS = 12;
const MOST_TURNS = 48;
const TIMES_A_TURN = 60;
const FULL_PAGE = "newest";

interface Catalogue {
  lists: string[];
  measure(asked: Asked): Promise<Measured>;
  stop(): void;
}

interface Compared {
  small: number;
  large: number;
  ratio: number;
  isToFullPage: boolean;
}

/** Lists and search at two sizes on one server; exits 1 when the large one is too much slower. Arguments name some lists. */
async function bench(chosen: string[]): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "peony-bench-"));
  const server = await startEmbedded(folder, ["-c", "fsync=off", "-c", "shared_buffers=256MB"]);
  try {
    const small = await openCatalogue(await createDatabase(server.url, SMALL), folder);
    const large = await openCatalogue(await createDatabase(server.url, LARGE), folder);
    const lists = small.lists.filter((list) => chosen.length === 0 || chosen.includes(list));
    if (lists.length === 0) throw new Error(`The lists are: ${small.lists.join("; ")}`);
    console.log(`${"p95 in ms".padEnd(36)}${String(SMALL).padStart(9)}${String(LARGE).padStart(9)}    ratio`);
    let isFlat = true;
    for (const list of lists) isFlat = report(list, await compare(list, small, large)) && isFlat;
    small.stop();
    large.stop();
    return isFlat;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function createDatabase(serverUrl: string, size: number): Promise<string> {
  const url = new URL(serverUrl);
  url.pathname = `/catalogue_${size}`;
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`CREATE DATABASE catalogue_${size}`);
  await admin.end();
  await migrateDatabase(url.href);
  const sql = postgres(url.href, { max: 1, onnotice: () => {} });
  await fillCatalogue(sql, size);
  await sql.end();
  return url.href;
}

/** In a process of its own, as each has its own connections to one database. */
async function openCatalogue(databaseUrl: string, dataDir: string): Promise<Catalogue> {
  const child = fork("bench/measure-lists.ts", {
    execArgv: ["--import", "tsx"],
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
  });
  const gone = new AbortController();
  child.once("exit", () => gone.abort());
  const answer = async () => (await once(child, "message", { signal: gone.signal }))[0];
  return {
    lists: (await answer()) as string[],
    async measure(asked) {
      child.send(asked);
      return (await answer()) as Measured;
    },
    stop: () => child.disconnect(),
  };
}

/**
 * One list, turn by turn, so that what disturbs one catalogue disturbs the other as much. A list that fills its page in
 * the large catalogue only has more to show there: it is held against a full page of the small one, too.
 */
async function compare(list: string, small: Catalogue, large: Catalogue): Promise<Compared> {
  const warmUp = { list, times: WARM_UP };
  const [few, many] = [await small.measure(warmUp), await large.measure(warmUp)];
  const isToFullPage = many.isFull && !few.isFull;
  const best = { small: Number.POSITIVE_INFINITY, fullPage: 0, large: Number.POSITIVE_INFINITY };
  if (isToFullPage) best.fullPage = Number.POSITIVE_INFINITY;
  const ratio = () => best.large / Math.max(best.small, best.fullPage);
  for (let turn = 0; turn < TURNS || (turn < MOST_TURNS && ratio() > RATIO_LIMIT); turn += 1) {
    best.small = Math.min(best.small, await percentile(small, list));
    if (isToFullPage) best.fullPage = Math.min(best.fullPage, await percentile(small, FULL_PAGE));
    best.large = Math.min(best.large, await percentile(large, list));
  }
  return { small: best.small, large: best.large, ratio: ratio(), isToFullPage };
}

/** The 95th of a turn, in milliseconds. */
async function percentile(catalogue: Catalogue, list: string): Promise<number> {
  const { times } = await catalogue.measure({ list, times: TIMES_A_TURN });
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.POSITIVE_INFINITY;
}

function report(list: string, { small, large, ratio, isToFullPage }: Compared): boolean {
  const isOver = ratio > RATIO_LIMIT;
  const remark = (isToFullPage ? "  to a full page" : "") + (isOver ? "  over" : "");
  const columns = [small, large, ratio].map((value) => value.toFixed(2).padStart(9)).join("");
  console.log(`${list.padEnd(36)}${columns}${remark}`);
  return !isOver;
}

// Said outright: the embedded server's own exit hook would end the process with 0.
process.exit((await bench(process.argv.slice(2))) ? 0 : 1);
