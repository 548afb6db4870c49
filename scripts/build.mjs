import { rmSync } from "node:fs";
import { buildWhenStale } from "./build/build-state.mjs";

/** "site" or "programs"; both when omitted. */
const names = process.argv.length > 2 ? process.argv.slice(2) : undefined;

if (names === undefined) rmSync("build", { recursive: true, force: true });
try {
  await buildWhenStale(names);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
