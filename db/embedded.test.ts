import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { startEmbedded } from "./embedded.ts";
import { isRunning } from "./postmaster.ts";

/** Two servers are made and started three times, maybe beside many others. */
const STARTS_WITHIN_MS = 90_000;

test("a test file has a migrated database of its own", async () => {
  const rows = await db.execute(sql`SELECT count(*)::int AS count FROM media`);
  expect(rows[0]?.count).toBe(0);
});

test("a process that has failed says so when it ends, also when it knows the built-in database", () => {
  const script = 'import "#db/embedded.ts"; process.exitCode = 3';
  const { status } = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
  expect(status).toBe(3);
});

test(
  "after a power cut the built-in database starts again with everything that was committed",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "peony-embedded-"));
    await chmod(folder, 0o711);
    const first = await startEmbedded(folder);
    await query(first.url, "CREATE TABLE kept AS SELECT 1 AS one");
    const pidFile = join(folder, "postgres", "postmaster.pid");
    const pid = Number((await readFile(pidFile, "utf8")).split("\n")[0]);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isRunning(pid)).toBe(false);
    // Who started it can still end.
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
  "a start waits for a server that is still ending, and for nothing that only has its old process id",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "peony-embedded-"));
    await chmod(folder, 0o711);
    const first = await startEmbedded(folder);
    await query(first.url, "CREATE TABLE kept AS SELECT 1 AS one");
    const [row] = await query(
      first.url,
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

    await writeFile(join(folder, "postgres", "postmaster.pid"), `${process.pid}\n${folder}\n0\n1\n`);
    const third = await startEmbedded(folder);
    expect(third.isOwn).toBe(true);
    await third.stop();
    await rm(folder, { recursive: true, force: true });
  },
  STARTS_WITHIN_MS,
);

async function query(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.end();
  }
}
