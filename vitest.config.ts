import { defineConfig } from "vitest/config";

const DRIZZLE = [
  "drizzle-orm",
  "drizzle-orm/node-postgres",
  "drizzle-orm/pg-core",
  "drizzle-orm/postgres-js",
];

export default defineConfig({
  test: {
    include: ["{app,db,demo,scripts,tests}/**/*.test.{ts,tsx}"],
    exclude: ["tests/e2e/**", "node_modules/**"],
    globalSetup: "tests/support/global-setup.ts",
    setupFiles: ["tests/support/worker-setup.ts"],
    pool: "forks",
    // Loading these from their hundreds of files took two of the five seconds of processor time of a short test file.
    deps: { optimizer: { ssr: { enabled: true, include: DRIZZLE } } },
    // One more than the processors of the smallest machine in use: the tests of processes mostly wait.
    maxWorkers: 3,
    runner: "tests/support/runner-with-deadline.ts",
    // nginx's error pages hold these as text, which tests would otherwise get without content.
    css: { include: [/theme\/(?:base|tokens)\.css/] },
    // A summary of another machine's run shows the message alone.
    chaiConfig: { truncateThreshold: 2_000 },
    // Ends a test that hangs. At a load of ten on two cores, the longest took more than thirty seconds.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // Polled results come from processes that may share two slow cores.
    expect: { poll: { timeout: 15_000 } },
  },
});
