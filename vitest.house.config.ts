import { defineConfig } from "vitest/config";

/** The rules that only read the sources, without the database that every other test needs. */
const RULES = ["architecture", "folders", "banned-constructs", "schemas"];

export default defineConfig({
  test: { include: RULES.map((name) => `tests/build/${name}.test.ts`), testTimeout: 30_000 },
});
