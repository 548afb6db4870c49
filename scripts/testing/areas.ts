import type { Row } from "./full-tier.ts";

const DATABASE = ["db", "drizzle"];
const PAGES = [
  ...DATABASE,
  "app/adapters",
  "app/content",
  "app/dates.ts",
  "app/domain",
  "app/entry.client.tsx",
  "app/entry.server.tsx",
  "app/log.server.ts",
  "app/root.tsx",
  "app/routes",
  "app/texts.ts",
  "app/ui",
  "app/web",
  "demo/draw",
  "public",
];

/**
 * The tests of each part of the site, which `npm test` leaves out when nothing that they may depend on is touched. Tests
 * start sites and programs by their paths, so no import tells what they depend on: a folder too many costs minutes, and
 * one too few lets a fault pass. Settings and `app/paths.ts` are in no row, so that they bring everything.
 */
const PARTS: Row[] = [
  {
    promise: "every page and form answers well, whatever is sent to it",
    tests: ["tests/catalog/", "tests/faults/", "tests/http/", "tests/routes/", "tests/viewing/"],
    folders: [...PAGES, "demo", "scripts"],
  },
  {
    promise: "pages look, behave and hold still in a browser",
    tests: ["tests/e2e/"],
    folders: [...PAGES, "demo", "scripts/supervisor"],
  },
  {
    promise: "people sign in, keep their account and delete it",
    tests: ["tests/account/", "tests/auth/", "tests/live/", "tests/mail/"],
    folders: [...PAGES, "demo/stripe", "scripts/worker", "scripts/worker.ts"],
  },
  {
    promise: "people who work here run the site, and everything they did can be read",
    tests: ["tests/studio/"],
    folders: [...PAGES, "scripts"],
  },
  {
    promise: "subscriptions, their bills and their mails are right",
    tests: ["tests/billing/", "tests/demo/"],
    folders: [...PAGES, "demo", "scripts"],
  },
  {
    promise: "files are imported as they are, and delivered to those who may have them",
    tests: ["tests/media/"],
    folders: [
      ...DATABASE,
      "app/adapters",
      "app/domain/access",
      "app/domain/auth",
      "app/domain/catalog",
      "app/domain/announcements",
      "app/domain/media",
      "app/domain/viewer",
      "app/domain/viewing",
      "app/log.server.ts",
      "app/routes/media.$.ts",
      "app/texts.ts",
      "app/web/media",
      "app/web/request",
      "app/web/server",
      "app/web/session",
      "scripts",
    ],
  },
  {
    promise: "nginx and the site answer as one",
    tests: ["tests/front/"],
    folders: [
      ...DATABASE,
      "app/adapters",
      "app/domain/access",
      "app/domain/auth",
      "app/domain/announcements",
      "app/domain/media",
      "app/domain/viewing",
      "app/entry.server.tsx",
      "app/front",
      "app/log.server.ts",
      "app/routes/api.live.ts",
      "app/routes/media.$.ts",
      "app/ui/errors",
      "app/ui/shell",
      "app/ui/theme",
      "app/web",
      "public",
      "scripts",
    ],
  },
  {
    promise: "a backup holds everything and is restored",
    tests: ["tests/backup/"],
    folders: [
      ...DATABASE,
      "app/domain/backup",
      "app/domain/jobs",
      "app/domain/keys",
      "app/domain/media",
      "app/domain/site",
      "app/log.server.ts",
      "scripts",
    ],
  },
  {
    promise: "a host starts, watches and corrects the site",
    tests: [
      "db/server/embedded.test.ts",
      "tests/build/image.test.ts",
      "tests/metrics/",
      "tests/supervisor/",
      "tests/worker/",
    ],
    folders: [
      ...DATABASE,
      "Dockerfile",
      "app/adapters",
      "app/domain",
      "app/front",
      "app/log.server.ts",
      "app/web/metrics",
      "app/web/request",
      "app/web/server",
      "compose.yaml",
      "demo",
      "deploy",
      "scripts",
    ],
  },
];

/** The parts, and the tests that stand beside the code: a document cannot break one. */
export const AREAS: Row[] = [
  ...PARTS,
  {
    promise: "each function does what it says",
    tests: ["app/", "bench/", "db/", "demo/", "scripts/"],
    folders: [...new Set(PARTS.flatMap(({ folders }) => folders))],
  },
];
