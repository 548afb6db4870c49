import { dirname } from "node:path";
import { defineConfig } from "@playwright/test";
import { ownSite, SITES, WORKERS } from "./tests/support/browser/sites.ts";

const QUIET_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** These journeys promise the same without JavaScript. */
const WITHOUT_SCRIPTS = [
  "account.slow.spec.ts",
  "alarms.slow.spec.ts",
  "billing.slow.spec.ts",
  "errors.spec.ts",
  "journey.spec.ts",
  "lists.spec.ts",
  "payments.slow.spec.ts",
  "settings.slow.spec.ts",
  "sign-in.spec.ts",
  "small-menu.slow.spec.ts",
  "studio-creators.slow.spec.ts",
  "studio-files.slow.spec.ts",
  "studio.slow.spec.ts",
];

/** Tests run against the demo as a newcomer gets it: the production build, an empty data folder, the real processes. */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results/browser",
  workers: WORKERS,
  // Browser, site and database may share two slow cores; there a page takes seconds to open and a journey a minute.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["./scripts/testing/playwright-reporter.ts"]],
  use: {
    actionTimeout: 20_000,
    baseURL: `http://localhost:${ownSite().port}`,
    ...(process.env.CHROMIUM_PATH
      ? { launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: QUIET_FLAGS } }
      : { launchOptions: { args: QUIET_FLAGS } }),
  },
  projects: [
    {
      name: "with JavaScript at 1280",
      use: { viewport: { width: 1280, height: 844 } },
    },
    {
      name: "without JavaScript at 390",
      testMatch: WITHOUT_SCRIPTS,
      use: { javaScriptEnabled: false, viewport: { width: 390, height: 844 } },
    },
    {
      name: "with JavaScript at 390",
      testMatch: "journey.spec.ts",
      use: { viewport: { width: 390, height: 844 } },
    },
  ],
  globalTeardown: "./tests/support/browser/check-log.ts",
  webServer: SITES.map(({ port, dataDir, log, front }) => ({
    // The log is kept for the search for secrets, and shown when the site does not start.
    command: `rm -rf ${dataDir} && mkdir -p ${dirname(log)} && node build/scripts/supervise.js > ${log} 2>&1 || { cat ${log} >&2; false; }`,
    env: { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: "", APP_URL: "", FRONT: front },
    url: `http://localhost:${port}/healthz`,
    timeout: 180_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
  })),
});
