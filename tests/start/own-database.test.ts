import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withConnection } from "#db/connection.ts";
import { startEmbedded } from "#db/embedded.ts";
import { findFreePort } from "#db/free-port.ts";
import { findPostmaster } from "#db/postmaster.ts";
import { buildWhenStale } from "#scripts/start/build-state.mjs";
import { descendants, stillRunning } from "./process-tree.ts";

const STARTS_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 15_000;

let dataDir: string;
let site: ChildProcess | null = null;

beforeAll(async () => {
  await buildWhenStale();
  dataDir = await mkdtemp(join(tmpdir(), "peony-own-database-"));
  // Started by root, the database runs as a user who must be able to walk to its data.
  await chmod(dataDir, 0o711);
});
afterAll(async () => {
  if (site?.pid && site.exitCode === null) process.kill(-site.pid, "SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

/** `npm start` without a setting but where the data are. Resolves once it has said that it is there. */
async function start(): Promise<{ origin: string; pid: number; output: () => string }> {
  const port = await findFreePort();
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port) },
  });
  site = child;
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      said += part.toString();
    });
  }
  await expect.poll(() => said, { timeout: STARTS_WITHIN_MS }).toContain("Worker connected");
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, output: () => said };
}

/** As in a terminal, where the whole group is told. */
async function pressCtrlC(pid: number): Promise<void> {
  const started = descendants(pid);
  expect(started.filter(({ command }) => command.includes("postgres"))).not.toEqual([]);
  process.kill(-pid, "SIGINT");
  await expect.poll(() => stillRunning(started), { timeout: ENDS_WITHIN_MS }).toEqual([]);
}

test("with the built-in database Ctrl-C ends everything, and a second start keeps all data", async () => {
  const first = await start();
  const running = await startEmbedded(dataDir);
  expect(running.isOwn).toBe(false);
  const counted = await withConnection(running.url, async (sql) => {
    await sql`UPDATE creators SET name = 'Kept Name' WHERE id = (SELECT min(id::text)::uuid FROM creators)`;
    return sql`SELECT (SELECT count(*)::int FROM creators) AS creators, (SELECT count(*)::int FROM media) AS media`;
  });
  await pressCtrlC(first.pid);

  const second = await start();
  const page = await fetch(`${second.origin}/enter`);
  expect(page.status).toBe(200);
  const { url } = await startEmbedded(dataDir);
  await withConnection(url, async (sql) => {
    expect(await sql`SELECT name FROM creators WHERE name = 'Kept Name'`).toHaveLength(1);
    expect(
      await sql`SELECT (SELECT count(*)::int FROM creators) AS creators, (SELECT count(*)::int FROM media) AS media`,
    ).toEqual(counted);
  });
  await pressCtrlC(second.pid);
}, 180_000);

test("a built-in database that ends by itself ends the site with it, and the next start has all data", async () => {
  const { pid, output } = await start();
  const started = descendants(pid);
  const ended = once(site as ChildProcess, "exit");
  const postmaster = await findPostmaster(join(dataDir, "postgres"));
  process.kill(postmaster?.pid ?? 0, "SIGKILL");
  expect(await ended, output()).toEqual([1, null]);
  expect(output()).toContain("The built-in database has ended by itself");
  await expect.poll(() => stillRunning(started), { timeout: ENDS_WITHIN_MS }).toEqual([]);

  const next = await start();
  const { url } = await startEmbedded(dataDir);
  await withConnection(url, async (sql) => {
    expect(await sql`SELECT name FROM creators WHERE name = 'Kept Name'`).toHaveLength(1);
  });
  await pressCtrlC(next.pid);
}, 180_000);
