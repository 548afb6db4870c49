import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort } from "#db/server/embedded.ts";
import { end, start, untilReady } from "../site/programs.ts";

const run = promisify(execFile);

const VERSION = "6.65.0";
const PNPM_VERSION = "12.4.2";
/** Beside the packages of the checkout, so that only the first run downloads it. */
const INSTALLED = resolve(`node_modules/.cache/ghost-${VERSION}`);
const DATABASE_WITHIN_MS = 30_000;
const POLL_MS = 100;

export interface Ghost {
  origin: string;
  pid: number;
  stop(): Promise<void>;
}

/** Ghost as its registry package has it, with its first content, beside a MariaDB of its own. Throws when one is missing. */
export async function startGhost(library: string): Promise<Ghost> {
  await install();
  const folder = join(library, "ghost");
  const content = join(folder, "content");
  for (const name of ["data", "images", "logs", "settings", "media", "files", "public", "adapters"])
    await mkdir(join(content, name), { recursive: true });
  await cp(join(INSTALLED, "content/themes"), join(content, "themes"), { recursive: true });
  // It finds its own code below the folder that it is started in.
  await symlink(INSTALLED, join(folder, "current"));
  const socketPath = join(folder, "socket");
  const database = await startMariaDb(folder, socketPath);
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const config = {
    url: origin,
    server: { host: "127.0.0.1", port },
    database: { client: "mysql", connection: { socketPath, user: "root", password: "", database: "ghost" } },
    mail: { transport: "Direct" },
    logging: { level: "error", transports: ["stderr"] },
    paths: { contentPath: content },
    // It asks nobody outside.
    privacy: { useTinfoil: true },
  };
  await writeFile(join(folder, "config.production.json"), JSON.stringify(config));
  const env = { NODE_ENV: "production" as const, PATH: process.env.PATH };
  const ghost = start([join(INSTALLED, "index.js")], env, folder);
  const stop = async () => {
    await end(ghost);
    await end(database);
  };
  try {
    await untilReady(`${origin}/`);
    return { origin, pid: ghost.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function install(): Promise<void> {
  if (existsSync(INSTALLED)) return;
  const folder = `${INSTALLED}-incomplete`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run("npm", ["pack", `ghost@${VERSION}`], { cwd: folder });
  await run("tar", ["xzf", `ghost-${VERSION}.tgz`], { cwd: folder });
  const cwd = join(folder, "package");
  await run("npx", ["-y", `pnpm@${PNPM_VERSION}`, "install", "--prod", "--frozen-lockfile"], { cwd });
  await rename(cwd, INSTALLED);
}

/** Answers on a socket in `folder` only. */
async function startMariaDb(folder: string, socket: string) {
  const data = `--datadir=${join(folder, "mariadb")}`;
  const user = process.getuid?.() === 0 ? ["--user=root"] : [];
  const setUp = [
    "--no-defaults",
    data,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
    ...user,
  ];
  await run("mariadb-install-db", setUp).catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new Error(
      "This suite needs MariaDB. On Debian: apt-get install mariadb-server-core mariadb-client-core",
    );
  });
  const args = ["--no-defaults", data, `--socket=${socket}`, "--skip-networking", ...user];
  const database = spawn("mariadbd", args, { stdio: "ignore" });
  for (const deadline = Date.now() + DATABASE_WITHIN_MS; !existsSync(socket); await sleep(POLL_MS)) {
    if (Date.now() > deadline) throw new Error("MariaDB did not start");
  }
  return database;
}
