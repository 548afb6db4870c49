import { spawn } from "node:child_process";
import { installWhenStale, requireNode, stopWith } from "./start/install.mjs";

requireNode();
installWhenStale();

const { buildWhenStale, isBuildStale } = await import("./start/build-state.mjs");
const isDevelopment = process.argv.includes("--dev");
if (!isDevelopment && isBuildStale()) {
  console.log("Building …");
  await buildWhenStale().catch((error) => stopWith(error.message));
}

const supervisor = spawn(
  process.execPath,
  ["--import", "tsx", "scripts/supervise.ts", ...process.argv.slice(2)],
  { stdio: "inherit" },
);
// A terminal's Ctrl-C reaches the supervisor by itself; it decides when everything has ended.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => supervisor.kill("SIGTERM"));
supervisor.on("exit", (code) => process.exit(code ?? 1));
