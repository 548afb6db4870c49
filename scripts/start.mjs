import { spawn } from "node:child_process";
import { endTogether } from "./build/pass-signals.mjs";
import { prepareCheckout } from "./build/prepare.mjs";
import { projectEnvironment, projectNode } from "./build/project-node.mjs";

const isDevelopment = process.argv.includes("--dev");
await prepareCheckout({ isDevelopment });

const program = isDevelopment ? ["--import", "tsx", "scripts/supervise.ts"] : ["build/scripts/supervise.js"];
// The supervisor has its own process group, so that Ctrl-C does not end the database and all other processes
// at once.
const supervisor = spawn(projectNode(), [...program, ...process.argv.slice(2)], {
  env: projectEnvironment(),
  stdio: ["ignore", "inherit", "inherit", "ipc"],
  detached: true,
});
endTogether(supervisor);
