import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { assertNoLeaks } from "../support/log-leaks.ts";
import { descendants, stillRunning } from "../support/process/process-tree.ts";

/** A build, a new database and the demo's catalog, on processors that are busy with other tests. */
const STARTS_WITHIN_MS = 240_000;
const ENDS_WITHIN_MS = 20_000;
const QUICK_TEST = "app/domain/auth/users.server";

const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = own.uid === 0;
const ordinary = isRoot ? NOBODY : own;
/** Other users may be unable to enter root's temporary folder. */
const base = isRoot ? "/tmp" : tmpdir();
const OTHER_FILE_SYSTEM = "/dev/shm";

type Options = SpawnOptions & { env: NodeJS.ProcessEnv };

const made: string[] = [];
afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))));

/** The source of `git clone`: the checkout itself may be where only its owner can read. */
let origin: string;
/** The packages of this checkout: installing them again would take a minute. */
let packages: string;

beforeAll(async () => {
  const folder = await privateFolder(base, own);
  origin = join(folder, "origin.git");
  packages = join(folder, "node_modules");
  await copyPackages(packages);
  const config = join(folder, "gitconfig");
  // The checkout may belong to another user, as on most build servers.
  await writeFile(config, "[safe]\n\tdirectory = *\n");
  const url = `file://${process.cwd()}`;
  await run("git", ["clone", "--quiet", "--bare", "--depth=1", url, origin], {
    env: { ...process.env, GIT_CONFIG_GLOBAL: config },
  });
}, STARTS_WITHIN_MS);

// tests/supervisor/own-database.slow.test.ts starts the site as the user of the tests, mostly root.
test(
  "git clone, npm start and npm test work for an ordinary user in a private home folder",
  async () => {
    const home = await privateFolder(base, ordinary);
    const temporary = await privateFolder(await otherFileSystem(home), ordinary);
    const project = join(home, "Zoë’s site");
    const as = { cwd: home, env: environment(home, temporary), ...(isRoot ? ordinary : {}) };
    await cp(origin, join(home, "origin.git"), { recursive: true });
    await run("chown", ["-R", `${ordinary.uid}:${ordinary.gid}`, join(home, "origin.git")]);
    await run("git", ["clone", "--quiet", "origin.git", project], as);
    await providePackages(project);

    const inside = { ...as, cwd: project };
    // A wrong setting is named before the build, which takes a minute.
    const wrong = { ...inside, env: { ...inside.env, PORT: "ninety" } };
    await expect(run("npm", ["start"], wrong)).rejects.toThrow(
      /ended with 1:\n(?:(?!Building).*\n)*Configuration: PORT: must be.*\n$/,
    );
    await startAndEnd(inside);
    for (const folder of [home, join(project, "data"), join(project, "data", "postgres")]) {
      expect((await stat(folder)).mode & 0o777, folder).toBe(0o700);
    }
    expect(await run("npm", ["test", "--", QUICK_TEST], inside)).toMatch(/\n[1-9]\d* passed, 0 failed\n/);
    // npm and tsx keep what they have compiled.
    const kept = ["node-compile-cache", `tsx-${ordinary.uid}`];
    expect((await readdir(temporary)).filter((name) => !kept.includes(name))).toEqual([]);
  },
  2 * STARTS_WITHIN_MS,
);

/** Runs `npm start`, waits for the site's first page, and presses Ctrl-C, which a terminal sends to the whole group. */
async function startAndEnd(options: Options): Promise<void> {
  const port = await findTestPort();
  const env = { ...options.env, PORT: String(port) };
  const site = start("npm", ["start"], { ...options, env, detached: true });
  const output = outputOf(site);
  const ended = once(site, "exit");
  try {
    await expect.poll(output, { timeout: STARTS_WITHIN_MS }).toContain("Worker connected");
    const page = await fetch(`http://127.0.0.1:${port}/enter`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<h1>")]);
    const started = descendants(site.pid ?? 0);
    expect(started.filter(({ command }) => command.includes("postgres"))).not.toEqual([]);
    process.kill(-(site.pid ?? 0), "SIGINT");
    await expect.poll(() => stillRunning(started), { timeout: ENDS_WITHIN_MS }).toEqual([]);
    await ended;
    await assertNoLeaks(output());
  } finally {
    if (site.exitCode === null && site.signalCode === null) process.kill(-(site.pid ?? 0), "SIGKILL");
  }
}

/** Links the files where both folders are on one file system. */
async function copyPackages(to: string): Promise<void> {
  await run("cp", ["-al", "node_modules", to]).catch(async () => {
    await rm(to, { recursive: true, force: true });
    await run("cp", ["-a", "node_modules", to]);
  });
  await rm(join(to, ".peony-build.lock"), { recursive: true, force: true });
}

/** Leaves the project as an install would. */
async function providePackages(project: string): Promise<void> {
  const installed = join(project, "node_modules");
  await rename(packages, installed);
  // The files may be those of this checkout, so only the folders change their owner.
  const owner = `${ordinary.uid}:${ordinary.gid}`;
  await run("find", [installed, "-type", "d", "-exec", "chown", owner, "{}", "+"]);
  // npm writes this file last, so it must be newer than the clone's package-lock.json.
  const stamp = join(installed, ".package-lock.json");
  await rm(stamp);
  await copyFile("node_modules/.package-lock.json", stamp);
}

function environment(home: string, temporary: string): NodeJS.ProcessEnv {
  const { PATH, FFMPEG_PATH, FFPROBE_PATH, CHROMIUM_PATH } = process.env;
  // The command gets neither this run's settings nor npm's own.
  const programs = { PATH, FFMPEG_PATH, FFPROBE_PATH, CHROMIUM_PATH };
  return { ...programs, HOME: home, TMPDIR: temporary } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv;
}

/** A folder of mode 700 below `parent`. */
async function privateFolder(parent: string, { uid, gid }: typeof own): Promise<string> {
  const folder = await mkdtemp(join(parent, "peony-home-"));
  made.push(folder);
  if (isRoot) await chown(folder, uid, gid);
  await chmod(folder, 0o700);
  return folder;
}

/** The system's memory disk, or a folder of the home where that is no separate disk, as in some containers. */
async function otherFileSystem(home: string): Promise<string> {
  const other = await stat(OTHER_FILE_SYSTEM).catch(() => null);
  if (other !== null && other.dev !== (await stat(home)).dev) return OTHER_FILE_SYSTEM;
  const folder = join(home, "tmp");
  await mkdir(folder, { mode: 0o755 });
  return folder;
}

/** Resolves with what the command printed; rejects with it unless the status is 0. */
async function run(command: string, args: string[], options: Partial<Options> = {}): Promise<string> {
  const child = start(command, args, options);
  const output = outputOf(child);
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}:\n${output()}`);
  return output();
}

function start(command: string, args: string[], options: SpawnOptions): ChildProcess {
  return spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
}

function outputOf(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (part: Buffer) => {
      text += part.toString();
    });
  }
  return () => text;
}
