export interface Row {
  /** The promise that the tests prove, in the words of a report. */
  promise: string;
  /** Files, or folders that end with a slash: those mean what no earlier row names. */
  tests: string[];
  /** A change below one of these brings the tests into the gate. */
  folders: string[];
}

const BATTERY = "tests/faults/battery";

/**
 * The tests that `npm test` leaves out unless the change touches what they prove: load, faults, memory, and promises
 * about minutes. Tests of privacy are never left out.
 */
export const FULL_TIER: Row[] = [
  {
    promise: "after a crash or without its database, the site loses nothing and comes back",
    tests: [
      `${BATTERY}/x01-killed-transactions.test.ts`,
      `${BATTERY}/x02-durable-writes.test.ts`,
      `${BATTERY}/x03-crashes.test.ts`,
      `${BATTERY}/x13-database-network.test.ts`,
      `${BATTERY}/x16-full-disk.test.ts`,
      `${BATTERY}/x22-soak.test.ts`,
      `${BATTERY}/x23-retries.test.ts`,
      `${BATTERY}/x31-moved-clocks.test.ts`,
    ],
    folders: [
      "app/domain/access",
      "app/domain/auth",
      "app/domain/billing",
      "app/domain/catalog/media",
      "app/domain/health",
      "app/domain/jobs",
      "app/domain/media/storage",
      "app/domain/viewing",
      "app/routes/api.views.ts",
      "app/routes/api.views_.$action.ts",
      "app/routes/api.views_.forget-all.ts",
      "app/routes/healthz.ts",
      "app/routes/readyz.ts",
      "app/ui/live",
      "app/ui/progress",
      "app/web/request",
      "app/web/server",
      "app/web/session",
      "bench/report",
      "db",
      "scripts",
    ],
  },
  {
    promise: "a subscription ends right, whatever happens to the provider's events",
    tests: [
      `${BATTERY}/payments/x08-event-orders.test.ts`,
      `${BATTERY}/payments/x08-lifecycles.test.ts`,
      `${BATTERY}/payments/x29-others-down.test.ts`,
      "tests/billing/checkout/slow-provider.test.ts",
      "tests/billing/sync/hanging-provider.test.ts",
      "tests/billing/sync/timeouts.test.ts",
    ],
    folders: [
      "app/domain/billing",
      "app/domain/jobs",
      "app/domain/mail",
      "app/routes/api.billing.webhook.stripe.ts",
      "demo/stripe",
    ],
  },
  {
    promise: "a running video ends with each cause that ends its access, in time",
    tests: ["tests/billing/account/access-closes.test.ts"],
    folders: [
      "app/domain/access",
      "app/domain/auth",
      "app/domain/billing",
      "app/domain/changes",
      "app/domain/media/storage",
      "app/domain/viewer",
      "app/domain/viewing",
      "app/front",
      "app/routes/media.$.ts",
      "app/web/media",
      "app/web/request",
      "app/web/server",
      "app/web/session",
      "db",
    ],
  },
  {
    promise: "an upgrade, a stop and a second copy lose no request and no job",
    tests: [
      `${BATTERY}/x04-stop-in-flight.test.ts`,
      `${BATTERY}/x06-migrate-under-load.test.ts`,
      `${BATTERY}/x07-eight-migrators.test.ts`,
      "tests/copies/one-site.test.ts",
      "tests/copies/upgrade.test.ts",
    ],
    folders: [
      "app/domain/auth",
      "app/domain/billing",
      "app/domain/changes",
      "app/domain/jobs",
      "app/domain/mail",
      "app/domain/media/storage",
      "app/domain/viewer",
      "app/domain/viewing",
      "app/web/live",
      "app/web/media",
      "app/web/server",
      "app/web/session",
      "bench/report",
      "db",
      "demo/stripe",
      "deploy",
      "drizzle",
      "scripts",
    ],
  },
  {
    promise: "thousands of slow or greedy clients keep nobody waiting",
    tests: [
      `${BATTERY}/x12-search-flood.test.ts`,
      "tests/front/floods.test.ts",
      "tests/http/connection-storms.test.ts",
    ],
    folders: [
      "app/domain/media/storage",
      "app/web/media",
      "app/domain/auth",
      "app/domain/catalog/lists",
      "app/front",
      "app/web/request",
      "app/web/server",
      "bench/report",
    ],
  },
  {
    promise: "live connections beat at real speed, and many fit into a process",
    tests: ["tests/live/heartbeat.test.ts", "tests/live/most-streams.test.ts"],
    folders: [
      "app/domain/auth",
      "app/domain/changes",
      "app/domain/viewer",
      "app/front",
      "app/routes/api.live.ts",
      "app/web/live",
      "app/web/server",
      "app/web/session",
    ],
  },
  {
    promise: "nginx is started, watched and replaced by the site",
    tests: [`${BATTERY}/x30-killed-front.test.ts`, "tests/front/supervise.test.ts"],
    folders: [
      "app/domain/auth",
      "app/domain/media/storage",
      "app/domain/viewing",
      "app/entry.server.tsx",
      "app/front",
      "app/routes/media.$.ts",
      "app/web/live",
      "app/web/media",
      "app/web/server",
      "app/web/session",
      "bench/report",
      "scripts",
    ],
  },
  {
    promise: "the site starts from nothing, says what is wrong, and ends with everything it has started",
    tests: [
      "tests/supervisor/doctor-findings.test.ts",
      "tests/supervisor/first-start.test.ts",
      "tests/supervisor/own-database.test.ts",
      "tests/supervisor/supervise.test.ts",
    ],
    folders: [
      "app/domain/backup",
      "app/domain/health",
      "app/domain/jobs",
      "app/domain/mail",
      "app/domain/media/storage",
      "app/web/server",
      "db/server",
      "demo/catalogue",
      "demo/seed",
      "scripts",
    ],
  },
  {
    promise: "an import that is killed is completed by the next one",
    tests: [`${BATTERY}/x05-killed-imports.test.ts`, "tests/media/interrupted-import.test.ts"],
    folders: ["app/domain/catalog/import", "app/domain/catalog/media", "app/domain/media", "db", "scripts"],
  },
  {
    promise: "a video of any kind looks and sounds as its original",
    tests: ["tests/media/import-videos.test.ts"],
    folders: ["app/domain/catalog/import", "app/domain/catalog/media", "app/domain/media", "db", "scripts"],
  },
  {
    promise: "a backup of a busy site is restored elsewhere, whole",
    tests: [`${BATTERY}/x10-restore-drill.test.ts`, "tests/backup/drill.test.ts"],
    folders: ["app/domain/backup", "app/domain/jobs", "app/domain/media/storage", "db", "drizzle", "scripts"],
  },
  {
    promise: "files and pictures of any size need little memory",
    tests: ["tests/account/avatar-abuse.test.ts", "tests/media/memory.test.ts"],
    folders: [
      "app/domain/media",
      "app/domain/viewing",
      "app/routes/media.$.ts",
      "app/web/forms",
      "app/web/media",
      "app/web/server",
      "scripts/resize-avatar.ts",
    ],
  },
  {
    promise: "pages hold still at other widths, with late files and from the development server",
    tests: [
      "tests/e2e/development.spec.ts",
      "tests/e2e/late-files.spec.ts",
      "tests/e2e/other-widths.spec.ts",
    ],
    folders: ["app/entry.client.tsx", "app/root.tsx", "app/ui/shell", "app/ui/theme"],
  },
];
