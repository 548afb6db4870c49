import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { endTogether } from "./build/pass-signals.mjs";
import { announceProjectNode, projectEnvironment, projectNode } from "./build/project-node.mjs";
import "./install-tools.mjs";

announceProjectNode();
endTogether(
  spawn(projectNode(), ["scripts/testing/run.ts", ...process.argv.slice(2)], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...projectEnvironment(), NODE_COMPILE_CACHE: resolve("node_modules/.cache/compiled") },
    // Ctrl-C reaches it once, from here.
    detached: true,
  }),
);
