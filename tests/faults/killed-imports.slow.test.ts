import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { H264, openImport, picture } from "#tests/support/import-folder.ts";
import { builtScript } from "#tests/support/process/built-script.ts";
import { expectFigures } from "./support/figures.ts";

const ROUNDS = 3;
/** Where a round kills, as a part of the duration of a whole import; "commit" is after the last file was renamed. */
const MOMENTS = [0.5, 0.99, "commit"] as const;
/** A video and a set of pictures. */
const ITEMS = 2;
const PICTURES = 2;

const { dataDir, folder, ffmpeg, run, start, filesOnDisk } = await openImport();
const checker = await builtScript("check-media");
const admin = postgres(process.env.DATABASE_URL ?? "", { max: 2, onnotice: () => {} });
afterAll(() => admin.end());

test("a killed import publishes no half file, and the next one completes it", async () => {
  ffmpeg("film.mp4", H264, { size: "160x120" });
  for (let index = 0; index < PICTURES; index += 1) await picture(join(folder, `${index}.jpg`), "#884422");
  const first = await timedImport();
  expect(first.code).toBe(0);
  // Other programs change the duration of an import, so the last round of all moments counts.
  const recentMs = [first.milliseconds];
  const wholeFiles = (await filesOnDisk()).length;

  const found = { killed: 0, damaged: 0, failedImports: 0, differences: 0, itemsTwice: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    await db.execute(sql`TRUNCATE media, creators, tags CASCADE`);
    found.killed += Number(
      await killImport(MOMENTS[round % MOMENTS.length] ?? "commit", Math.max(...recentMs)),
    );
    // Files that no row names are left by a crash; the next import overwrites them.
    found.damaged += (await problems()).filter((line) => !line.startsWith("unknown")).length;
    const next = await timedImport();
    if (next.code !== 0) found.failedImports += 1;
    recentMs.push(next.milliseconds);
    recentMs.splice(0, recentMs.length - MOMENTS.length);
    found.differences += (await problems()).length;
    const [row] = await admin`SELECT count(*)::int AS items FROM media`;
    if (row?.items !== ITEMS) found.itemsTwice += 1;
  }
  expectFigures({
    rounds: { is: ROUNDS, exactly: ROUNDS },
    killedWhileRunning: { is: found.killed, atLeast: Math.floor(ROUNDS / 2) },
    publishedHalfFiles: { is: found.damaged, exactly: 0 },
    failedNextImports: { is: found.failedImports, exactly: 0 },
    differencesAfterwards: { is: found.differences, exactly: 0 },
    otherItemsThanWithoutCrash: { is: found.itemsTwice, exactly: 0 },
    filesMoreThanWithoutCrash: { is: (await filesOnDisk()).length - wholeFiles, exactly: 0 },
  });
}, 1_200_000);

async function timedImport() {
  const startedAt = Date.now();
  const { code } = await run();
  return { code, milliseconds: Date.now() - startedAt };
}

/** Resolves to whether the import was still running. */
async function killImport(moment: (typeof MOMENTS)[number], wholeMs: number): Promise<boolean> {
  if (moment === "commit") return killBeforeCommit();
  const { child, ended } = start();
  await sleep(moment * wholeMs);
  const wasRunning = child.exitCode === null;
  child.kill("SIGKILL");
  await ended;
  return wasRunning;
}

/** The first row waits for a lock, when all files of its item are at their place. */
async function killBeforeCommit(): Promise<boolean> {
  const lock = await admin.reserve();
  await lock`BEGIN`;
  await lock`LOCK TABLE media IN SHARE MODE`;
  const { child, ended } = start();
  const waiting = async () =>
    (await admin`SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'media'::regclass`).length;
  await expect.poll(waiting, { timeout: 120_000 }).toBeGreaterThan(0);
  const wasRunning = child.exitCode === null;
  child.kill("SIGKILL");
  await ended;
  await lock`ROLLBACK`;
  lock.release();
  return wasRunning;
}

/** The lines of `npm run media:check -- --hashes` about a file. */
async function problems(): Promise<string[]> {
  const child = spawn(process.execPath, [checker, "--hashes"], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  await once(child, "close");
  expect(output).toContain("files checked");
  return output.trim().split("\n").slice(0, -1);
}
