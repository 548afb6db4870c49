import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { migrateDatabase } from "#db/migrate.ts";
import { startEmbedded } from "#db/server/embedded.ts";
import { fillCatalogue } from "./fill-catalogue.ts";
import type { Asked, Measured } from "./measure-lists.ts";

const SMALL = 1_000;
const LARGE = 200_000;
const RATIO_LIMIT = 1.3;
const WARM_UP = 30;
/**
 * The number of turns per list. Each turn gives one ratio and the median counts, so disturbances in a few turns do
 * not matter.
 */
const TURNS = 25;
const TIMES_A_TURN = 60;

interface Catalogue {
  lists: string[];
  measure(requested: Asked): Promise<Measured>;
  stop(): void;
}

/** The medians over all turns, in milliseconds. */
interface Compared {
  small: number;
  large: number;
  ratio: number;
}

/**
 * Compares lists and search at two catalogue sizes on one server; exits with 1 when the large one is too much slower.
 * Arguments select lists by name.
 */
async function bench(chosen: string[]): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "peony-bench-"));
  const server = await startEmbedded(folder, ["-c", "fsync=off", "-c", "shared_buffers=256MB"]);
  const opened: Catalogue[] = [];
  try {
    const open = async (size: number) => {
      const catalogue = await openCatalogue(await createDatabase(server.adminUrl, size), folder);
      opened.push(catalogue);
      return catalogue;
    };
    const [small, large] = [await open(SMALL), await open(LARGE)];
    const unknown = chosen.filter((list) => !small.lists.includes(list));
    if (unknown.length > 0) {
      throw new Error(`There is no list ${unknown.join(", ")}. The lists are: ${small.lists.join("; ")}`);
    }
    console.log(`${"p95 in ms".padEnd(36)}${String(SMALL).padStart(9)}${String(LARGE).padStart(9)}    ratio`);
    let isFlat = true;
    for (const list of chosen.length > 0 ? chosen : small.lists) {
      isFlat = report(list, await compare(list, small, large)) && isFlat;
    }
    return isFlat;
  } finally {
    for (const catalogue of opened) catalogue.stop();
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

/** Each catalogue needs its own process, because a process is connected to one database. */
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
    async measure(requested) {
      child.send(requested);
      return (await answer()) as Measured;
    },
    stop: () => child.disconnect(),
  };
}

/** Measures one list in alternating turns, so that disturbances affect both catalogues equally. */
async function compare(list: string, small: Catalogue, large: Catalogue): Promise<Compared> {
  const warmUp = { list, times: WARM_UP };
  const [few, many] = [await small.measure(warmUp), await large.measure(warmUp)];
  if (few.shown !== many.shown || few.shown === 0) {
    throw new Error(
      `${list}: ${few.shown} in the small catalogue, ${many.shown} in the large one, are no pages to compare`,
    );
  }
  const turns: Compared[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const [fast, slow] = [await percentile(small, list), await percentile(large, list)];
    turns.push({ small: fast, large: slow, ratio: slow / fast });
  }
  const of = (key: keyof Compared) => median(turns.map((turn) => turn[key]));
  return { small: of("small"), large: of("large"), ratio: of("ratio") };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The 95th percentile of one turn, in milliseconds. */
async function percentile(catalogue: Catalogue, list: string): Promise<number> {
  const { times } = await catalogue.measure({ list, times: TIMES_A_TURN });
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.POSITIVE_INFINITY;
}

function report(list: string, { small, large, ratio }: Compared): boolean {
  const isOver = ratio > RATIO_LIMIT;
  const columns = [small, large, ratio].map((value) => value.toFixed(2).padStart(9)).join("");
  console.log(`${list.padEnd(36)}${columns}${isOver ? "  over" : ""}`);
  return !isOver;
}

// The exit is explicit because the embedded server's own exit hook would end the process with 0.
process.exit((await bench(process.argv.slice(2))) ? 0 : 1);
