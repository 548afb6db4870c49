import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { compressAssets } from "./compress.mjs";
import { projectEnvironment, projectNode } from "./project-node.mjs";

const SHARED_INPUTS = ["app", "db", "package-lock.json", "package.json", "tsconfig.json"];
/** The demo's catalog is data, and the code that draws it is not built. */
const NOT_BUILT = /^demo\/(?:catalogue|draw)$|\.test\.tsx?$/;

/** The site does not contain the demo, so a change to the stand-in for Stripe builds only the programs. */
const PARTS = [
  {
    name: "site",
    inputs: [...SHARED_INPUTS, "public", "remix.config.js", "vite.config.ts"],
    command: ["node_modules/@remix-run/dev/dist/cli.js", "vite:build"],
    lastFile: "build/server/index.js",
    finish: compressAssets,
  },
  {
    name: "programs",
    inputs: [...SHARED_INPUTS, "demo", "scripts", "vite.scripts.config.ts"],
    command: ["node_modules/vite/bin/vite.js", "build", "--config", "vite.scripts.config.ts"],
    lastFile: "build/scripts/worker.js",
  },
];
const stampOf = ({ name }) => `build/${name}.sha256`;

const run = promisify(execFile);

const LOCK = "node_modules/.peony-build.lock";
const LOCK_POLL_MS = 200;
const BUILT_WITHIN_MS = 600_000;

export function isBuilt() {
  return PARTS.every(isComplete);
}

export function isBuildStale() {
  return PARTS.some(isStale);
}

/** Concurrent callers wait for one of them to build. Resolves to whether this one did. */
export function buildWhenStale() {
  return buildParts(PARTS);
}

export function buildPartWhenStale(name) {
  const part = PARTS.find((one) => one.name === name);
  if (!part) throw new Error(`There is no part ${name} to build.`);
  return buildParts([part]);
}

async function buildParts(parts) {
  if (!parts.some(isStale)) return false;
  await lock();
  try {
    const stale = parts.filter(isStale);
    const outcomes = await Promise.allSettled(stale.map(build));
    const failed = outcomes.find(({ status }) => status === "rejected");
    if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
    return stale.length > 0;
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

function isComplete(part) {
  return existsSync(part.lastFile) && existsSync(stampOf(part));
}

function isStale(part) {
  return !isComplete(part) || readFileSync(stampOf(part), "utf8") !== digest(part);
}

async function build(part) {
  const inputs = digest(part);
  const env = { ...projectEnvironment(), NODE_ENV: "production" };
  await run(projectNode(), part.command, { env, maxBuffer: Number.POSITIVE_INFINITY }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`The build failed:\n${stdout}${stderr}`);
    },
  );
  await part.finish?.();
  writeFileSync(stampOf(part), inputs);
}

function digest({ inputs }) {
  const hash = createHash("sha256");
  for (const input of inputs) add(hash, input);
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

/** An old lock counts too: its pid may have been reused, or its owner may have died before writing one. */
function isAbandoned() {
  try {
    if (Date.now() - statSync(LOCK).mtimeMs > BUILT_WITHIN_MS) return true;
    const pid = Number(readFileSync(join(LOCK, "pid"), "utf8"));
    process.kill(pid, 0);
    return false;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    // A lock without a pid is just being taken; a missing lock was just released.
    return code === "ESRCH";
  }
}
