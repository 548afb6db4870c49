import { defineConfig } from "@playwright/test";

const PORT = Number(process.env.E2E_PORT ?? 4950);
const DATA_DIR = process.env.E2E_DATA_DIR ?? "test-results/data";
const LOG = process.env.E2E_LOG ?? "test-results/site.log";
const QUIET_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const journeys = [true, false].flatMap((javaScriptEnabled) =>
  [1280, 390].map((width) => ({
    name: `${javaScriptEnabled ? "with" : "without"} JavaScript at ${width}`,
    testIgnore: [
      // These specs set their own widths, and their measurements need scripts.
      ...(javaScriptEnabled && width === 1280
        ? []
        : [
            "accessibility.spec.ts",
            "budgets.spec.ts",
            "development.spec.ts",
            "layout.spec.ts",
            "menus.spec.ts",
            "prefetch.spec.ts",
            "session.spec.ts",
          ]),
      // The spec sets its own width and needs one run with scripts and one without.
      ...(width === 1280 ? [] : ["small-menu.spec.ts"]),
      // The progress of a video is sent by a script.
      ...(javaScriptEnabled ? [] : ["viewing.spec.ts"]),
    ],
    use: { javaScriptEnabled, viewport: { width, height: 844 } },
  })),
);

/** Tests run against the demo as a newcomer gets it: the production build, an empty data folder, the real processes. */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results/browser",
  workers: 1,
  // Browser, site and database may share two slow cores; there a page takes seconds to open and a journey a minute.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/playwright.json" }]],
  use: {
    actionTimeout: 20_000,
    baseURL: `http://localhost:${PORT}`,
    ...(process.env.CHROMIUM_PATH
      ? { launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: QUIET_FLAGS } }
      : { launchOptions: { args: QUIET_FLAGS } }),
  },
  projects: journeys,
  globalTeardown: "./tests/support/browser/check-log.ts",
  webServer: {
    // The log is kept for the search for secrets, and shown when the site does not start.
    command: `rm -rf ${DATA_DIR} && mkdir -p test-results && node build/scripts/supervise.js > ${LOG} 2>&1 || { cat ${LOG} >&2; false; }`,
    env: { PORT: String(PORT), DATA_DIR, DATABASE_URL: "", APP_URL: "" },
    url: `http://localhost:${PORT}/healthz`,
    timeout: 180_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
  },
});
