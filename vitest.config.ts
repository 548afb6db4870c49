import { defineConfig } from "vitest/config";
import { OrderByTimes } from "./tests/support/order-by-times.ts";

export default defineConfig({
  test: {
    include: ["{app,db,demo,scripts,tests}/**/*.test.{ts,tsx}"],
    exclude: ["tests/e2e/**", "node_modules/**"],
    globalSetup: "tests/support/global-setup.ts",
    setupFiles: ["tests/support/worker-setup.ts"],
    pool: "forks",
    // One more than the processors of the smallest machine in use: the tests of processes mostly wait.
    maxWorkers: 3,
    sequence: { sequencer: OrderByTimes },
    // nginx's error pages hold these as text, which tests would otherwise get without content.
    css: { include: [/theme\/(?:base|tokens)\.css/] },
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Polled results come from processes that may share two slow cores.
    expect: { poll: { timeout: 15_000 } },
  },
});
