import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compressAssets } from "./compress.mjs";

const INPUTS = [
  "app",
  "db",
  "demo",
  "public",
  "package-lock.json",
  "package.json",
  "remix.config.js",
  "scripts",
  "tsconfig.json",
  "vite.config.ts",
  "vite.scripts.config.ts",
];
/** The demo's catalogue is data, and the code that draws it runs unbuilt. */
const NOT_BUILT = /^demo\/(?:catalogue|draw)$|\.test\.tsx?$/;
const BUILDS = [
  ["node_modules/@remix-run/dev/dist/cli.js", "vite:build"],
  ["node_modules/vite/bin/vite.js", "build", "--config", "vite.scripts.config.ts"],
];
const STAMP = "build/inputs.sha256";
/** The last files of both builds, and the stamp. */
const BUILT = ["build/server/index.js", "build/scripts/worker.js", STAMP];
const LOCK = "node_modules/.peony-build.lock";
const LOCK_POLL_MS = 200;
/** A build takes seconds, or minutes on the slowest machine. */
const BUILT_WITHIN_MS = 600_000;

export function isBuilt() {
  return BUILT.every((file) => existsSync(file));
}

export function isBuildStale() {
  return !isBuilt() || readFileSync(STAMP, "utf8") !== digest();
}

/**
 * Builds when the sources have changed since the last build. Concurrent callers wait for one of them to build.
 * @returns {Promise<boolean>} whether it built
 */
export async function buildWhenStale() {
  if (!isBuildStale()) return false;
  await lock();
  try {
    if (!isBuildStale()) return false;
    build();
    return true;
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

function build() {
  const inputs = digest();
  for (const args of BUILDS) {
    const result = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { ...process.env, NODE_ENV: "production" },
    });
    if (result.status !== 0) {
      throw new Error(`The build failed:\n${result.stdout ?? ""}${result.stderr ?? ""}`);
    }
  }
  compressAssets();
  writeFileSync(STAMP, inputs);
}

function digest() {
  const hash = createHash("sha256");
  for (const input of INPUTS) add(hash, input);
  return hash.digest("hex");
}

/**
 * @param {import("node:crypto").Hash} hash
 * @param {string} path
 */
function add(hash, path) {
  if (NOT_BUILT.test(path) || !existsSync(path)) return;
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path).sort()) add(hash, `${path}/${name}`);
    return;
  }
  hash.update(path).update("\0").update(readFileSync(path));
}

async function lock() {
  for (;;) {
    try {
      mkdirSync(LOCK);
      writeFileSync(join(LOCK, "pid"), String(process.pid));
      return;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    if (isAbandoned()) rmSync(LOCK, { recursive: true, force: true });
    await sleep(LOCK_POLL_MS);
  }
}

/** A lock that is too old also counts: its pid may have been reused, or its owner may have died before writing one. */
function isAbandoned() {
  try {
    if (Date.now() - statSync(LOCK).mtimeMs > BUILT_WITHIN_MS) return true;
    const pid = Number(readFileSync(join(LOCK, "pid"), "utf8"));
    process.kill(pid, 0);
    return false;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    // A lock without a pid is being taken at this moment; a missing lock was just released.
    return code === "ESRCH";
  }
}
