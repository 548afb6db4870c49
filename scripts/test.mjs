import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { installWhenStale, requireNode } from "./build/install.mjs";
import { announceProjectNode, projectEnvironment, projectNode } from "./build/project-node.mjs";

requireNode();
installWhenStale();
announceProjectNode();
const { status } = spawnSync(projectNode(), ["scripts/testing/run.ts", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...projectEnvironment(), NODE_COMPILE_CACHE: resolve("node_modules/.cache/compiled") },
});
process.exit(status ?? 1);
