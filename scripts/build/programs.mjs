import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { missingOfNginx, NGINX_PACKAGES } from "../supervisor/nginx-packages.ts";
import { stopWith } from "./install.mjs";
import { missingStorePrograms, STORE_PACKAGES } from "./store-packages.mjs";

let hasPackageLists = false;

/** The first needs half the processor time, because it draws no window. */
const CHROMIUM_NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

export function findChromium() {
  const known = process.env.CHROMIUM_PATH ?? onPath(...CHROMIUM_NAMES) ?? playwrightsOwn();
  const path = known ?? install("chromium-headless-shell") ?? install("chromium");
  if (!path) stopWith("The browser tests need Chromium: install it, or name one with CHROMIUM_PATH.");
  return { CHROMIUM_PATH: path };
}

export function findFfmpeg() {
  const ffmpeg = process.env.FFMPEG_PATH ?? onPath("ffmpeg") ?? install("ffmpeg");
  const ffprobe = process.env.FFPROBE_PATH ?? onPath("ffprobe");
  if (!ffmpeg || !ffprobe)
    stopWith(
      "The tests need ffmpeg and ffprobe: install them, or name them with FFMPEG_PATH and FFPROBE_PATH.",
    );
  return { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe };
}

export function requireNginx() {
  if (missingOfNginx() === null) return;
  for (const name of NGINX_PACKAGES) install(name);
  if (missingOfNginx() === null) return;
  stopWith(`The tests of the front need Debian's ${NGINX_PACKAGES.join(", ")}: install them.`);
}

/** Tests that need it and do not find it fail with its name. */
export function installStore() {
  if (missingStorePrograms().length > 0) for (const name of STORE_PACKAGES) install(name);
}

export const PGBOUNCER = "/usr/sbin/pgbouncer";

export function requirePgBouncer() {
  if (existsSync(PGBOUNCER)) return;
  install("pgbouncer");
  if (existsSync(PGBOUNCER)) return;
  stopWith("The tests of the pooler need Debian's pgbouncer: install it.");
}

/** The tests skip the programs that are missing on a developer's computer. */
export function installArchivePrograms() {
  for (const name of ["curl", "wget", "unzip", "python3"]) onPath(name) ?? install(name);
}

function onPath(...names) {
  for (const name of names) {
    const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
    if (found) return found;
  }
  return undefined;
}

function playwrightsOwn() {
  const script = "import('playwright').then(({ chromium }) => console.log(chromium.executablePath()))";
  const path = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" }).stdout.trim();
  return path && existsSync(path) ? path : undefined;
}

/** Only as root on Debian: anywhere else, nobody expects a test to install a program. Returns its path, if it has one. */
function install(name) {
  if (process.getuid?.() !== 0 || !onPath("apt-get")) return undefined;
  console.log(`Installing ${name} …`);
  if (!hasPackageLists) spawnSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
  hasPackageLists = true;
  spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], { stdio: "ignore" });
  return onPath(name);
}
