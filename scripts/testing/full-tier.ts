export interface Row {
  /** The promise that the tests prove, in the words of a report. */
  promise: string;
  /** Files, or folders that end with a slash: those mean what no earlier row names. */
  tests: string[];
  /** A change below one of these brings the tests into the gate. */
  folders: string[];
  /** But for the paths below them that begin with one of these. */
  except?: string[];
}

const BATTERY = "tests/faults/battery";

/** Where the programs of a site are started, watched and ended. */
const PROGRAMS = [
  "scripts/command",
  "scripts/supervise.ts",
  "scripts/supervisor",
  "scripts/web.ts",
  "scripts/worker",
  "scripts/worker.ts",
];
const CONNECTIONS = ["db/adapter", "db/client.server.ts", "db/connection.ts"];
const IMPORT = ["app/domain/catalog/import", "app/domain/media", "scripts/import-media.ts"];

/**
 * The tests that `npm test` leaves out unless the change touches what they prove: load, faults, memory, and promises
 * about minutes. Each row names the code that keeps its promise, not all that its tests pass through: what is broken
 * elsewhere is found by shorter tests. Tests of privacy are never left out.
 */
export const FULL_TIER: Row[] = [
  {
    promise: "after a crash or without its database, the site comes back and has done nothing twice",
    tests: [
      `${BATTERY}/x01-killed-transactions.test.ts`,
      `${BATTERY}/x03-crashes.test.ts`,
      `${BATTERY}/x13-database-network.test.ts`,
      `${BATTERY}/x22-soak.test.ts`,
    ],
    folders: [
      ...CONNECTIONS,
      ...PROGRAMS,
      "app/adapters",
      "app/domain/health",
      "app/domain/jobs",
      "app/routes/healthz.ts",
      "app/routes/readyz.ts",
      "app/web/request",
      "app/web/server",
      "bench/report",
    ],
  },
  {
    promise: "what was confirmed is on the disk, and a full disk loses nothing",
    tests: [`${BATTERY}/x02-durable-writes.test.ts`, `${BATTERY}/x16-full-disk.test.ts`],
    folders: [
      ...CONNECTIONS,
      "app/domain/auth/secrets.server.ts",
      "app/domain/jobs",
      "app/domain/media/storage",
      "app/web/session/session-cookie.server.ts",
      "db/migrations",
      "db/server",
    ],
  },
  {
    promise: "a page sends again what an outage kept from the site, and other clocks change nothing",
    tests: [`${BATTERY}/x23-retries.test.ts`, `${BATTERY}/x31-moved-clocks.test.ts`],
    folders: [
      "app/dates.ts",
      "app/domain/access",
      "app/domain/auth/sign-in-requests.server.ts",
      "app/domain/viewing",
      "app/routes/api.views.ts",
      "app/routes/api.views_.$action.ts",
      "app/routes/api.views_.forget-all.ts",
      "app/ui/live",
      "app/ui/progress",
      "db/clock.server.ts",
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
      "app/adapters",
      "app/domain/access",
      "app/domain/announcements",
      "app/domain/billing/subscriptions",
      "app/domain/media/storage",
      "app/front",
      "app/routes/media.$.ts",
      "app/web/media",
      "app/web/server",
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
      ...CONNECTIONS,
      ...PROGRAMS,
      "app/adapters",
      "app/domain/announcements",
      "app/domain/auth/rate-limits.server.ts",
      "app/domain/billing/sync/write-offer.server.ts",
      "app/domain/jobs",
      "app/domain/mail/outbox.server.ts",
      "app/domain/media/storage",
      "app/web/live",
      "app/web/server",
      "bench/report",
      "db/migrations",
      "demo/stripe/stand-in.ts",
      "deploy",
      "drizzle",
      "scripts/build",
      "scripts/migrate.ts",
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
      "app/adapters",
      "app/adapters/server-hook.server.ts",
      "app/domain/catalog/lists",
      "app/domain/media/storage",
      "app/front",
      "app/web/media",
      "app/web/request",
      "app/web/server",
      "app/web/server/connections.server.ts",
      "bench/report",
    ],
  },
  {
    promise: "no made-up request becomes a statement, fails a page or keeps a process busy",
    tests: [
      `${BATTERY}/x11-http-abuse.test.ts`,
      "tests/http/hostile-requests.test.ts",
      "tests/http/query-parameters.test.ts",
      "tests/routes/busy.test.ts",
    ],
    folders: [
      "app/adapters",
      "app/domain/catalog/lists",
      "app/domain/staff",
      "app/routes",
      "app/texts.ts",
      "app/web/forms",
      "app/web/request",
      "app/web/server",
      "app/web/session",
    ],
  },
  {
    promise: "live connections beat at real speed, and many fit into a process",
    tests: ["tests/live/heartbeat.test.ts", "tests/live/most-connections.test.ts"],
    folders: [
      "app/adapters",
      "app/domain/announcements",
      "app/domain/auth/secrets.server.ts",
      "app/front",
      "app/routes/api.live.ts",
      "app/web/live",
      "app/web/server",
      "app/web/session/session-cookie.server.ts",
    ],
  },
  {
    promise: "nginx is started, watched and replaced by the site",
    tests: [`${BATTERY}/x30-killed-front.test.ts`, "tests/front/supervise.test.ts"],
    folders: [
      "app/domain/media/storage",
      "app/front",
      "app/web/server",
      "bench/report",
      "scripts/build",
      "scripts/supervise.ts",
      "scripts/supervisor",
      "scripts/web.ts",
    ],
  },
  {
    promise: "the site starts from nothing, says what is wrong, and ends with everything it has started",
    tests: [
      "tests/supervisor/cannot-start.test.ts",
      "tests/supervisor/doctor-findings.test.ts",
      "tests/supervisor/doctor.test.ts",
      "tests/supervisor/first-start.test.ts",
      "tests/supervisor/locked-folder.test.ts",
      "tests/supervisor/one-line.test.ts",
      "tests/supervisor/own-database.test.ts",
      "tests/supervisor/supervise.test.ts",
      "tests/supervisor/tls-database.test.ts",
      "tests/supervisor/unsupported-schema.test.ts",
    ],
    folders: [
      ...CONNECTIONS,
      "app/adapters",
      "app/config",
      "app/config.server.ts",
      "app/domain/backup",
      "app/domain/health",
      "app/domain/jobs",
      "app/domain/mail",
      "app/domain/media/storage",
      "app/log.server.ts",
      "app/web/forms/form-body.server.ts",
      "app/web/server",
      "db/migrations",
      "db/server",
      "demo/catalogue",
      "demo/seed",
      "scripts",
      "vite.scripts.config.ts",
    ],
  },
  {
    promise: "an import that is killed is completed by the next one",
    tests: [`${BATTERY}/x05-killed-imports.test.ts`, "tests/media/interrupted-import.test.ts"],
    folders: [...IMPORT, ...CONNECTIONS, "scripts/command"],
  },
  {
    promise: "files of any kind are imported, and videos look and sound as their originals",
    tests: ["tests/media/import-odd-folders.test.ts", "tests/media/import-videos.test.ts"],
    folders: [...IMPORT, "app/domain/catalog/media", "scripts/command"],
  },
  {
    promise: "every kind of source becomes what the table of sizes says",
    tests: ["tests/media/encoding-sources.test.ts"],
    folders: [
      "app/domain/catalog/edit/files",
      "app/domain/catalog/encoding",
      "app/domain/catalog/media",
      "app/domain/media/video",
      "scripts/worker",
    ],
  },
  {
    promise: "no killed worker, deadly file or full disk leaves half a video, or stops the others",
    tests: ["tests/media/encoding-faults.test.ts"],
    folders: [
      "app/domain/catalog/edit/files",
      "app/domain/catalog/encoding",
      "app/domain/media/storage",
      "app/domain/media/video/ffmpeg.server.ts",
      "scripts/worker",
    ],
  },
  {
    promise: "a changed name reaches every item, however often the worker is killed",
    tests: ["tests/worker/name-changes.test.ts"],
    folders: [
      ...PROGRAMS,
      "app/domain/catalog/edit/names",
      "app/domain/jobs",
      "app/domain/staff/audit.server.ts",
      "drizzle",
    ],
  },
  {
    promise: "a backup of a busy site is restored elsewhere, whole, and a crafted one harms nothing",
    tests: [
      `${BATTERY}/x10-restore-drill.test.ts`,
      "tests/backup/crafted.test.ts",
      "tests/backup/drill.test.ts",
    ],
    folders: [
      ...CONNECTIONS,
      "app/domain/backup",
      "app/domain/jobs",
      "app/domain/media/storage",
      "db/migrations",
      "db/schema",
      "db/server",
      "drizzle",
      "scripts/backup.ts",
      "scripts/check-backup.ts",
      "scripts/command",
      "scripts/restore.ts",
    ],
  },
  {
    promise: "files and pictures of any size need little memory",
    tests: ["tests/account/avatar-abuse.test.ts", "tests/media/memory.test.ts"],
    folders: [
      "app/adapters",
      "app/domain/media",
      "app/domain/viewing",
      "app/routes/media.$.ts",
      "app/web/forms",
      "app/web/media",
      "app/web/server",
      "scripts/make-picture.ts",
    ],
  },
  {
    promise: "an upload of gigabytes over a slow network is the same bytes",
    tests: ["tests/e2e/large-upload.spec.ts"],
    folders: [
      "app/adapters/tus.server.ts",
      "app/domain/uploads",
      "app/routes/studio.upload.tsx",
      "app/routes/studio.upload_.files.$.ts",
      "app/routes/studio.upload_.news.ts",
      "app/ui/studio/upload",
    ],
  },
  {
    promise:
      "assorted files that are chosen in the browser become drafts with covers and all sizes, and play",
    tests: ["tests/e2e/assorted-upload.spec.ts"],
    folders: [
      "app/domain/catalog/encoding",
      "app/domain/media/intake",
      "app/domain/media/renditions.ts",
      "app/domain/media/video",
      "app/domain/uploads",
      "app/routes/studio.upload.tsx",
      "app/routes/studio.upload_.files.$.ts",
      "app/routes/studio.upload_.news.ts",
      "app/ui/studio/upload",
    ],
  },
  {
    promise: "pages hold still at other widths, with late files and from the development server",
    tests: [
      "tests/e2e/development.spec.ts",
      "tests/e2e/late-files.spec.ts",
      "tests/e2e/other-widths.spec.ts",
    ],
    folders: [
      "app/adapters",
      "app/entry.client.tsx",
      "app/root.tsx",
      "app/ui/errors",
      "app/ui/shell",
      "app/ui/theme",
    ],
  },
];
