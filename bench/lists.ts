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
/** The quietest of several turns counts: whatever else the computer does only ever adds time. */
const TURNS = 12;
const TIMES_A_TURN = 60;

interface Catalogue {
  lists: string[];
  measure(asked: Asked): Promise<Measured>;
  stop(): void;
}

interface Result {
  /** The 95th percentile of the quietest turn. */
  ms: number;
  isFull: boolean;
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
    const newest = await compare("newest", small, large);
    let isFlat = true;
    for (const list of lists) {
      const results = list === "newest" ? newest : await compare(list, small, large);
      isFlat = report(list, results, newest.small.ms) && isFlat;
    }
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

/** One list, turn by turn, so that what disturbs one catalogue disturbs the other as much. */
async function compare(
  list: string,
  small: Catalogue,
  large: Catalogue,
): Promise<{ small: Result; large: Result }> {
  for (const catalogue of [small, large]) await catalogue.measure({ list, times: WARM_UP });
  const turns: { small: Measured; large: Measured }[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const asked = { list, times: TIMES_A_TURN };
    turns.push({ small: await small.measure(asked), large: await large.measure(asked) });
  }
  return {
    small: quietest(turns.map((turn) => turn.small)),
    large: quietest(turns.map((turn) => turn.large)),
  };
}

function quietest(turns: Measured[]): Result {
  return {
    ms: Math.min(...turns.map(({ times }) => percentile(times))),
    isFull: turns.every(({ isFull }) => isFull),
  };
}

function percentile(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.POSITIVE_INFINITY;
}

/** A list that fills its page in the large catalogue only has more to show there: it is held against the small one's newest, a full page. */
function report(
  list: string,
  { small, large }: { small: Result; large: Result },
  fullPageMs: number,
): boolean {
  const isUnlike = large.isFull && !small.isFull;
  const ratio = large.ms / (isUnlike ? Math.max(small.ms, fullPageMs) : small.ms);
  const isOver = ratio > RATIO_LIMIT;
  const remark = (isUnlike ? "  to a full page" : "") + (isOver ? "  over" : "");
  const [smallMs, largeMs, times] = [small.ms, large.ms, ratio].map((value) => value.toFixed(2).padStart(9));
  console.log(`${list.padEnd(36)}${smallMs}${largeMs}${times}${remark}`);
  return !isOver;
}

// Said outright: the embedded server's own exit hook would end the process with 0.
process.exit((await bench(process.argv.slice(2))) ? 0 : 1);
