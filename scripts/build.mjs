import { rmSync } from "node:fs";
import { buildPartWhenStale, buildWhenStale } from "./build/build-state.mjs";

/** "site" or "programs"; both, from nothing, when it is left out. */
const part = process.argv[2];

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
