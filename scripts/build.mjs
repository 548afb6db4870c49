import { existsSync, rmSync } from "node:fs";
import { installWhenStale, requireNode } from "./build/install.mjs";
import { announceProjectNode } from "./build/project-node.mjs";

/** The image builds "site" and "programs" one after the other; without an argument both are built from nothing. */
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
