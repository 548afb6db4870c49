import { spawn } from "node:child_process";
import { installWhenStale, requireNode, stopWith } from "./start/install.mjs";

const ORPHAN_POLL_MS = 500;

/** Before anything that takes its time: npm may be gone by then. */
const shell = process.ppid;

requireNode();
installWhenStale();

const { buildWhenStale, isBuildStale } = await import("./start/build-state.mjs");
const isDevelopment = process.argv.includes("--dev");
if (!isDevelopment && isBuildStale()) {
  console.log("Building …");
  await buildWhenStale().catch((error) => stopWith(error.message));
}

const program = isDevelopment
  ? ["--import", "tsx", "scripts/supervise.ts"]
  : ["build/supervisor/supervise.js"];
// In a process group of its own: a terminal's Ctrl-C would otherwise reach the database and every other process at the
// same moment, and end them in any order.
const supervisor = spawn(process.execPath, [...program, ...process.argv.slice(2)], {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
  detached: true,
});
const stop = () => supervisor.kill("SIGTERM");
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
if (process.env.npm_lifecycle_event) {
  // npm, told to end, ends the shell in between, and that tells nobody.
  const watch = setInterval(() => process.ppid !== shell && stop(), ORPHAN_POLL_MS);
  watch.unref();
}
supervisor.on("exit", (code) => process.exit(code ?? 1));
