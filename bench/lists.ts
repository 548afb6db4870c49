import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import postgres from "postgres";
import { startEmbedded } from "#db/embedded.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { fillCatalogue } from "./fill-catalogue.ts";
import type { Measured } from "./measure-lists.ts";

const SMALL = 1_000;
const LARGE = 200_000;
const RATIO_LIMIT = 1.3;
/** The quietest of several turns counts: whatever else the computer does only ever adds time. */
const TURNS = 5;

const run = promisify(execFile);

/** Lists and search at two sizes on one server, in turns; exits 1 when the large one is too much slower. */
async function bench(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "peony-bench-"));
  const server = await startEmbedded(folder, ["-c", "fsync=off", "-c", "shared_buffers=256MB"]);
  try {
    const small = await createCatalogue(server.url, SMALL);
    const large = await createCatalogue(server.url, LARGE);
    const best: Record<"small" | "large", Record<string, Measured>> = { small: {}, large: {} };
    for (let turn = 0; turn < TURNS; turn += 1) {
      keepLower(best.small, await measure(small, folder));
      keepLower(best.large, await measure(large, folder));
    }
    return report(best.small, best.large);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function createCatalogue(serverUrl: string, size: number): Promise<string> {
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

async function measure(databaseUrl: string, dataDir: string): Promise<Record<string, Measured>> {
  const env = {
    NODE_ENV: "production" as const,
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
  };
  const { stdout } = await run(process.execPath, ["--import", "tsx", "bench/measure-lists.ts"], { env });
  return JSON.parse(stdout) as Record<string, Measured>;
}

function keepLower(best: Record<string, Measured>, turn: Record<string, Measured>): void {
  for (const [name, measured] of Object.entries(turn)) {
    const known = best[name];
    if (!known || measured.ms < known.ms) best[name] = measured;
  }
}

/** A list that fills its page in the large catalogue only has more to show there: it is held against the slowest full page of the small one. */
function report(small: Record<string, Measured>, large: Record<string, Measured>): boolean {
  let isFlat = true;
  const fullPage = small.newest?.ms ?? 0;
  console.log(`${"p95 in ms".padEnd(36)}${String(SMALL).padStart(9)}${String(LARGE).padStart(9)}    ratio`);
  for (const [name, { ms, isFull }] of Object.entries(small)) {
    const at = large[name] ?? { ms: Number.POSITIVE_INFINITY, isFull };
    const isUnlike = at.isFull && !isFull;
    const ratio = at.ms / (isUnlike ? Math.max(ms, fullPage) : ms);
    if (ratio > RATIO_LIMIT) isFlat = false;
    const remark = (isUnlike ? "  to a full page" : "") + (ratio > RATIO_LIMIT ? "  over" : "");
    console.log(
      `${name.padEnd(36)}${ms.toFixed(2).padStart(9)}${at.ms.toFixed(2).padStart(9)}${ratio.toFixed(2).padStart(9)}${remark}`,
    );
  }
  return isFlat;
}

// Said outright: the embedded server's own exit hook would end the process with 0.
process.exit((await bench()) ? 0 : 1);
