import { rmSync } from "node:fs";
import { buildWhenStale } from "./build/build-state.mjs";

rmSync("build", { recursive: true, force: true });
try {
  await buildWhenStale();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
