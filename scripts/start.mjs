import { spawn } from "node:child_process";
import { prepareCheckout } from "./build/prepare.mjs";
import { projectEnvironment, projectNode } from "./build/project-node.mjs";

const ORPHAN_POLL_MS = 500;

/** The parent is read before any slow work, because npm may be gone by then. */
const shell = process.ppid;

const isDevelopment = process.argv.includes("--dev");
await prepareCheckout({ isDevelopment });

const program = isDevelopment ? ["--import", "tsx", "scripts/supervise.ts"] : ["build/scripts/supervise.js"];
// The supervisor has its own process group. Otherwise a terminal's Ctrl-C would reach the database and every other
// process at once and end them in any order.
const supervisor = spawn(projectNode(), [...program, ...process.argv.slice(2)], {
  env: projectEnvironment(),
  stdio: ["ignore", "inherit", "inherit", "ipc"],
  detached: true,
});
const stop = () => supervisor.kill("SIGTERM");
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
if (process.env.npm_lifecycle_event) {
  // When npm is asked to stop, it ends the intermediate shell, and this process gets no signal.
  const watch = setInterval(() => process.ppid !== shell && stop(), ORPHAN_POLL_MS);
  watch.unref();
}
supervisor.on("exit", (code) => process.exit(code ?? 1));
