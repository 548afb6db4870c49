import { spawn } from "node:child_process";
import { endTogether } from "./build/pass-signals.mjs";
import { announceProjectNode, projectEnvironment, projectNode } from "./build/project-node.mjs";
import "./install-tools.mjs";

announceProjectNode();
endTogether(
  spawn(projectNode(), ["--import", "tsx", "bench/run.ts", ...process.argv.slice(2)], {
    stdio: ["ignore", "inherit", "inherit"],
    env: projectEnvironment(),
    // Ctrl-C reaches it once, from here.
    detached: true,
  }),
);
