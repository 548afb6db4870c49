import { dirname } from "node:path";
import { defineConfig } from "@playwright/test";
import { GATE_PAIRS, OTHER_PAIRS, pairName } from "./tests/support/browser/pairs.ts";
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
const PAIRS = [...GATE_PAIRS, ...(process.env.TEST_TIER === "full" ? OTHER_PAIRS : [])];
const journeys = PAIRS.map(({ javaScriptEnabled, width }, index) => ({
  name: pairName({ javaScriptEnabled, width }),
  testIgnore: [
    // These specs set their own widths or need one run only, and all need scripts.
    ...(index === 0
      ? []
      : [
          "accessibility.spec.ts",
          "assorted-upload.spec.ts",
          "budgets.spec.ts",
          "development.spec.ts",
          "foreign-nodes.spec.ts",
          "large-upload.spec.ts",
          "late-files.spec.ts",
          "layout.spec.ts",
          "live.spec.ts",
          "looking.spec.ts",
          "menus.spec.ts",
          "other-widths.spec.ts",
          "prefetch.spec.ts",
          "session.spec.ts",
          "studio-unsaved.spec.ts",
          "watching.spec.ts",
          "ways-out.spec.ts",
        ]),
    // These specs set their own width or need none, and one run with scripts and one without.
    ...(index < 2 ? [] : ["sign-in.spec.ts", "small-menu.spec.ts"]),
    // The progress of a video and pieces of files are sent by scripts; without them there is a form.
    ...(javaScriptEnabled ? ["upload-form.spec.ts"] : ["viewing.spec.ts", "upload.spec.ts"]),
  ],
  use: { javaScriptEnabled, viewport: { width, height: 844 } },
}));

/** Tests run against the demo as a newcomer gets it: the production build, an empty data folder, the real processes. */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results/browser",
  workers: WORKERS,
  // Browser, site and database may share two slow cores; there a page takes seconds to open and a journey a minute.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/playwright.json" }]],
  use: {
    actionTimeout: 20_000,
    baseURL: `http://localhost:${ownSite().port}`,
    ...(process.env.CHROMIUM_PATH
      ? { launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: QUIET_FLAGS } }
      : { launchOptions: { args: QUIET_FLAGS } }),
  },
  projects: journeys,
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
