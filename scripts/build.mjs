import { existsSync, rmSync } from "node:fs";
import { installWhenStale, requireNode } from "./build/install.mjs";
import { announceProjectNode } from "./build/project-node.mjs";

/** "site" or "programs", as the image builds them one after the other; both, from nothing, when it is left out. */
const part = process.argv[2];

requireNode();
if (!existsSync("node_modules")) installWhenStale();
announceProjectNode();
const { buildPartWhenStale, buildWhenStale } = await import("./build/build-state.mjs");
try {
  if (part) await buildPartWhenStale(part);
  else {
    rmSync("build", { recursive: true, force: true });
    await buildWhenStale();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
