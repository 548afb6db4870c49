import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { startEmbedded } from "./embedded.ts";
import { isRunning } from "./postmaster.ts";

/** Two servers are created and started three times, possibly while many others run. */
const STARTS_WITHIN_MS = 90_000;

test("a test file has a migrated database of its own", async () => {
  const rows = await db.execute(sql`SELECT count(*)::int AS count FROM media`);
  expect(rows[0]?.count).toBe(0);
});

test(
  "two concurrent starts share one new database",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "peony-embedded-"));
    const both = await Promise.all([startEmbedded(folder), startEmbedded(folder)]);
    expect(both.map(({ isOwn }) => isOwn).sort()).toEqual([false, true]);
    for (const { url } of both) expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect((await readdir(folder)).sort()).toEqual(["postgres", "postgres.json", "postgres.lock"]);
    for (const { stop } of both) await stop();
    await rm(folder, { recursive: true, force: true });
  },
  STARTS_WITHIN_MS,
);

test(
  "after a power cut the built-in database starts with everything that was committed",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "peony-embedded-"));
    const first = await startEmbedded(folder);
    await query(first.adminUrl, "CREATE TABLE kept AS SELECT 1 AS one");
    const pidFile = join(folder, "postgres", "postmaster.pid");
    const pid = Number((await readFile(pidFile, "utf8")).split("\n")[0]);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isRunning(pid)).toBe(false);
    // The process that started it can still stop.
    await first.stop();

    const again = await startEmbedded(folder);
    expect(again.isOwn).toBe(true);
    expect(await query(again.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
    const joined = await startEmbedded(folder);
    expect([joined.isOwn, joined.url]).toEqual([false, again.url]);
    await again.stop();
    await rm(folder, { recursive: true, force: true });
  },
  STARTS_WITHIN_MS,
);

test(
  "a start waits for a server that is still stopping, but not for another process with its old id",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "peony-embedded-"));
    const first = await startEmbedded(folder);
    await query(first.adminUrl, "CREATE TABLE kept AS SELECT 1 AS one");
    const [row] = await query(
      first.adminUrl,
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'",
    );
    const { pid } = row as { pid: number };
    process.kill(pid, "SIGSTOP");
    const ended = first.stop();
    const starting = startEmbedded(folder);
    await sleep(1_000);
    process.kill(pid, "SIGCONT");
    const second = await starting;
    await ended;
    expect(second.isOwn).toBe(true);
    expect(await query(second.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
    await second.stop();

    for (const stranger of [process.pid, await pidOfAnotherServer()]) {
      await writeFile(join(folder, "postgres", "postmaster.pid"), `${stranger}\n${folder}\n0\n1\n`);
      const third = await startEmbedded(folder);
      expect(third.isOwn).toBe(true);
      await third.stop();
    }
    await rm(folder, { recursive: true, force: true });
  },
  STARTS_WITHIN_MS,
);

/** Root, or a user who may create namespaces, can hide processes as a second container does. */
const HIDDEN = [
  ...(process.getuid?.() === 0 ? [] : ["--map-current-user"]),
  "--ipc",
  "--pid",
  "--fork",
  "--mount-proc",
];
const mayHide = spawnSync("unshare", [...HIDDEN, "true"]).status === 0;

test.runIf(process.platform === "linux")(
  `a second container leaves the server of the first alone, and starts one once the first was killed (${mayHide ? "in namespaces of its own" : "without the file that names the server"})`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "peony-embedded-"));
    const first = await startEmbedded(folder);
    await query(first.adminUrl, "CREATE TABLE starts AS SELECT now() AS at");
    const pidFile = join(folder, "postgres", "postmaster.pid");
    const written = await readFile(pidFile, "utf8");
    if (!mayHide) await rm(pidFile);
    const second = await startApart(folder);
    expect(second.stderr).toBe(
      `The database in ${folder} is in use by another container or machine, or by processes of a killed server: stop those first, or wait. To run a command beside a site, use docker exec.\n`,
    );
    if (!mayHide) await writeFile(pidFile, written);
    expect(await readFile(pidFile, "utf8")).toBe(written);
    expect(await query(first.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);

    process.kill(Number.parseInt(written, 10), "SIGKILL");
    expect(await startApart(folder)).toEqual({ stdout: "starts: 2\n", stderr: "" });
    await rm(folder, { recursive: true, force: true });
  },
  STARTS_WITHIN_MS,
);

function startApart(folder: string): Promise<{ stdout: string; stderr: string }> {
  const command = [process.execPath, "--import", "tsx", "tests/support/process/start-database.ts", folder];
  const [program = "", ...args] = mayHide ? ["unshare", ...HIDDEN, ...command] : command;
  return promisify(execFile)(program, args).catch((error) => error);
}

async function pidOfAnotherServer(): Promise<number> {
  const [row] = await db.execute<{ pid: number }>(
    sql`SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`,
  );
  return row?.pid ?? 0;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end();
  }
}
