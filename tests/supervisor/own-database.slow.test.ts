import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withConnection } from "#db/connection.ts";
import { startEmbedded } from "#db/server/embedded.ts";
import { findPostmaster } from "#db/server/postmaster.ts";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { makeShortDemo } from "#tests/support/process/short-demo.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { assertNoLeaks } from "../support/log-leaks.ts";
import { descendants, stillRunning } from "../support/process/process-tree.ts";

const STARTS_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 15_000;

let project: string;
let dataDir: string;
let site: ChildProcess | null = null;
/** Everything that all starts have printed. */
let printed = "";

beforeAll(async () => {
  await buildWhenStale();
  project = await makeShortDemo();
  dataDir = await mkdtemp(join(tmpdir(), "peony-own-database-"));
});
afterAll(async () => {
  if (site?.pid && site.exitCode === null) process.kill(-site.pid, "SIGKILL");
  for (const folder of [dataDir, project]) await rm(folder, { recursive: true, force: true });
  await assertNoLeaks(printed);
});

/** Runs `npm start` with only the data folder and port set. Resolves once the site has printed its address. */
async function start(): Promise<{ origin: string; pid: number; output: () => string }> {
  // Somebody may have made the folder with this mode.
  await chmod(dataDir, 0o755);
  const port = await findTestPort();
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: project,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: { NODE_ENV: "production", PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port) },
  });
  site = child;
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      said += part.toString();
      printed += part.toString();
    });
  }
  await expect.poll(() => said, { timeout: STARTS_WITHIN_MS }).toContain("Worker connected");
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, output: () => said };
}

/** A terminal's Ctrl-C signals the whole process group. */
async function pressCtrlC(pid: number): Promise<void> {
  const started = descendants(pid);
  expect(started.filter(({ command }) => command.includes("postgres"))).not.toEqual([]);
  process.kill(-pid, "SIGINT");
  await expect.poll(() => stillRunning(started), { timeout: ENDS_WITHIN_MS }).toEqual([]);
}

/** Files written by any process of the site must be closed to other users of the machine. */
async function expectPrivate(pid: number): Promise<void> {
  const masks = descendants(pid)
    .filter(({ command }) => !command.startsWith("postgres:") && !command.includes("esbuild"))
    .flatMap(({ pid: one, command }) => {
      const mask = umaskOf(one);
      return mask === null ? [] : [`${mask} ${command}`];
    });
  expect(masks.length).toBeGreaterThanOrEqual(4);
  expect(masks.filter((line) => !/^(0027|0077) /.test(line))).toEqual([]);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  const media = join(dataDir, "media");
  const files = await readdir(media, { recursive: true });
  expect(files.length).toBeGreaterThan(10);
  const modes = await Promise.all(files.map(async (file) => (await stat(join(media, file))).mode & 0o007));
  expect(modes.filter((mode) => mode !== 0)).toEqual([]);
}

/** No process of the site is connected as the superuser. A connection that is just being made has no user yet. */
async function expectLimited(adminUrl: string): Promise<void> {
  const users = await withConnection(
    adminUrl,
    (sql) => sql`SELECT DISTINCT usename FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND usename IS NOT NULL`,
  );
  expect(users.map(({ usename }) => usename)).toEqual(["peony"]);
}

/** Null once the process has ended: some run for a moment only. */
function umaskOf(pid: number): string | null {
  try {
    return /Umask:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? null;
  } catch {
    return null;
  }
}

test("with the built-in database Ctrl-C ends everything, and the next start has all data", async () => {
  const first = await start();
  const running = await startEmbedded(dataDir);
  expect(running.isOwn).toBe(false);
  const counted = await withConnection(running.url, async (sql) => {
    await sql`UPDATE creators SET name = 'Kept Name' WHERE id = (SELECT min(id::text)::uuid FROM creators)`;
    return sql`SELECT (SELECT count(*)::int FROM creators) AS creators, (SELECT count(*)::int FROM media) AS media`;
  });
  await expectPrivate(first.pid);
  await expectLimited(running.adminUrl);
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

test("when the built-in database stops by itself, so does the site, and the next start has all data", async () => {
  const { pid, output } = await start();
  const started = descendants(pid);
  const ended = once(site as ChildProcess, "exit");
  const postmaster = await findPostmaster(join(dataDir, "postgres"));
  process.kill(postmaster?.pid ?? 0, "SIGKILL");
  expect(await ended, output()).toEqual([1, null]);
  expect(output()).toContain("The built-in database stopped unexpectedly");
  await expect.poll(() => stillRunning(started), { timeout: ENDS_WITHIN_MS }).toEqual([]);

  const next = await start();
  const { url } = await startEmbedded(dataDir);
  await withConnection(url, async (sql) => {
    expect(await sql`SELECT name FROM creators WHERE name = 'Kept Name'`).toHaveLength(1);
  });
  await pressCtrlC(next.pid);
}, 180_000);
