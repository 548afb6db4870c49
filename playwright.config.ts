import { defineConfig } from "@playwright/test";

const PORT = Number(process.env.E2E_PORT ?? 4950);
const DATA_DIR = process.env.E2E_DATA_DIR ?? "test-results/data";
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
      // They choose widths of their own, and what they measure with is a script.
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
      // At one width of its own, with and without.
      ...(width === 1280 ? [] : ["small-menu.spec.ts"]),
      // What the player tells is a script's doing.
      ...(javaScriptEnabled ? [] : ["viewing.spec.ts"]),
    ],
    use: { javaScriptEnabled, viewport: { width, height: 844 } },
  })),
);

/** The demo as a newcomer gets it: the production build, an empty data folder, the real processes. */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results/browser",
  workers: 1,
  // Browser, site and database share what may be two slow cores: there a page takes seconds to open and a journey a minute.
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
  webServer: {
    command: `rm -rf ${DATA_DIR} && node build/supervisor/supervise.js`,
    env: { PORT: String(PORT), DATA_DIR, DATABASE_URL: "", APP_URL: "" },
    url: `http://localhost:${PORT}/healthz`,
    timeout: 180_000,
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
  },
});
