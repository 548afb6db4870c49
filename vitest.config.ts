import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{app,db,scripts,tests}/**/*.test.{ts,tsx}"],
    exclude: ["tests/e2e/**", "node_modules/**"],
    globalSetup: "tests/support/global-setup.ts",
    setupFiles: ["tests/support/worker-setup.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // What is waited for is done by processes that may share two slow cores.
    expect: { poll: { timeout: 15_000 } },
  },
});
