import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, utimesSync } from "node:fs";

/** Old enough to install the packages, which include the project's own Node.js. */
const OLDEST_NODE = [20, 19];
/** npm writes this file last, so its age is the age of a complete install. */
const INSTALLED = "node_modules/.package-lock.json";

export function stopWith(message) {
  console.error(message);
  process.exit(1);
}

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  stopWith(`Peony needs Node.js ${OLDEST_NODE.join(".")} or later; this is ${process.versions.node}.`);
}

/** Tools of tests and checks are installed by the commands that need them, and then stay: decision 216. */
export function installWhenStale({ withTools = false } = {}) {
  const installed = existsSync(INSTALLED) ? readFileSync(INSTALLED, "utf8") : "";
  const hasTools = installed.includes('"dev": true');
  const isFresh = installed !== "" && statSync(INSTALLED).mtimeMs >= statSync("package-lock.json").mtimeMs;
  if (isFresh && (hasTools || !withTools)) return;
  console.log("Installing the packages in the lock file …");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  // Not "npm ci", which refuses a lock file made where a registry lacks the optional packages of other
  // platforms. Without "loglevel", an older Node.js gets a warning for each package that does not support it.
  // The lock file names each version, so npm need not ask whether what it keeps is the newest.
  const tools = hasTools || withTools ? "--include=dev" : "--omit=dev";
  const args = [
    "install",
    "--no-save",
    tools,
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const result = spawnSync(npm, args, { stdio: "inherit" });
  if (result.error) stopWith("npm was not found: install Node.js together with npm and try again.");
  if (result.status !== 0) stopWith("The installation failed: see npm's messages above.");
  // npm does not touch the file when there is nothing to install.
  utimesSync(INSTALLED, new Date(), new Date());
}
