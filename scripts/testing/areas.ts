import type { Row } from "./full-tier.ts";

const DATABASE = ["db", "drizzle"];
/** A new address or setting changes nothing for what does not use it, and every part uses some. */
const NAMED_EVERYWHERE = ["app/config", "app/config.server.ts", "app/paths.ts"];
/** Every page and form needs these. */
const FRAME = [
  ...DATABASE,
  "app/adapters",
  "app/clock-times.ts",
  "app/dates.ts",
  "app/domain/access",
  "app/domain/announcements",
  "app/domain/auth",
  "app/domain/jobs",
  "app/domain/keys",
  "app/domain/mail",
  "app/domain/viewer",
  "app/entry.client.tsx",
  "app/entry.server.tsx",
  "app/live-events.ts",
  "app/log.server.ts",
  "app/root.tsx",
  "app/sizes.ts",
  "app/texts.ts",
  "app/ui/errors",
  "app/ui/forms",
  "app/ui/navigation",
  "app/ui/parts",
  "app/ui/shell",
  "app/web",
];
/** The pages of a member's account and of subscriptions. */
const MEMBERS = [
  ...FRAME,
  "app/domain/account",
  "app/domain/billing",
  "app/routes/api.auth.ts",
  "app/routes/api.billing.webhook.stripe.ts",
  "app/routes/cancel.tsx",
  "app/routes/cookies.tsx",
  "app/routes/enter.tsx",
  "app/routes/keep-account.tsx",
  "app/routes/outbox.tsx",
  "app/routes/signin.tsx",
  "app/routes/signin_.code.tsx",
  "app/routes/signin_.verify.tsx",
  "app/routes/signout.ts",
  "app/routes/subscribe.tsx",
  "app/routes/subscribe_.cancelled.tsx",
  "app/routes/subscribe_.portal.tsx",
  "app/routes/subscribe_.return.tsx",
  "app/routes/user.account.tsx",
  "app/routes/user.account_.avatar-removal.ts",
  "app/routes/user.account_.devices.ts",
  "app/routes/user.account_.export.ts",
  "app/routes/user.account_.sign-out-everywhere.ts",
  "app/routes/user.account_.subscription.tsx",
  "app/routes/user.confirm.tsx",
  "app/routes/withdraw.tsx",
  "app/ui/account",
  "app/ui/cancellation",
  "app/ui/live",
  "app/ui/subscribe",
  "demo/stripe",
];
const PAGES = [
  ...DATABASE,
  "app/adapters",
  "app/clock-times.ts",
  "app/content",
  "app/dates.ts",
  "app/domain",
  "app/entry.client.tsx",
  "app/entry.server.tsx",
  "app/live-events.ts",
  "app/log.server.ts",
  "app/root.tsx",
  "app/routes",
  "app/sizes.ts",
  "app/texts.ts",
  "app/ui",
  "app/web",
  "demo/draw",
  "public",
];

/** Rooms and routes of one kind of page, which other pages do not show: the beginnings of their names. */
export const PAGES_OF = {
  media: ["app/routes/content.photoSet.", "app/routes/content.video.", "app/ui/photos", "app/ui/player"],
  members: [
    "app/routes/cancel.",
    "app/routes/keep-account.",
    "app/routes/subscribe",
    "app/routes/user.account",
    "app/routes/withdraw.",
    "app/ui/account",
    "app/ui/cancellation",
    "app/ui/subscribe",
  ],
  studio: ["app/routes/studio.", "app/ui/studio"],
};

function without(...kinds: (keyof typeof PAGES_OF)[]): Pick<Row, "folders" | "except"> {
  return {
    folders: [...PAGES, "demo", "scripts/supervisor"],
    except: kinds.flatMap((kind) => PAGES_OF[kind]),
  };
}

/**
 * The tests of each part of the site, which `npm test` leaves out when nothing that they may depend on is touched. Tests
 * start sites and programs by their paths, so no import tells what they depend on: a folder too many costs minutes, and
 * one too few lets a fault pass.
 */
const PARTS: Row[] = [
  {
    promise: "every page and form answers well, whatever is sent to it",
    tests: ["tests/catalog/", "tests/faults/", "tests/http/", "tests/routes/", "tests/viewing/"],
    folders: [...PAGES, "demo", "scripts"],
  },
  {
    promise: "the studio's pages work in a browser",
    tests: [
      "tests/e2e/alarms.spec.ts",
      "tests/e2e/settings.spec.ts",
      "tests/e2e/studio-creators.spec.ts",
      "tests/e2e/studio-files.spec.ts",
      "tests/e2e/studio.spec.ts",
      "tests/e2e/studio-unsaved.spec.ts",
      "tests/e2e/upload-form.spec.ts",
      "tests/e2e/upload.spec.ts",
    ],
    ...without("members"),
  },
  {
    promise: "videos play and photos are looked through in a browser",
    tests: ["tests/e2e/looking.spec.ts", "tests/e2e/watching.spec.ts"],
    ...without("members", "studio"),
  },
  {
    promise: "members keep their account in a browser",
    tests: ["tests/e2e/account.spec.ts"],
    ...without("media", "studio"),
  },
  {
    promise: "pages look, behave and hold still in a browser",
    tests: ["tests/e2e/"],
    folders: [...PAGES, "demo", "scripts/supervisor"],
  },
  {
    promise: "people sign in, keep their account and delete it",
    tests: ["tests/account/", "tests/auth/", "tests/live/", "tests/mail/"],
    folders: [
      ...MEMBERS,
      "app/domain/alarms",
      "app/domain/media",
      "app/routes/api.live.ts",
      "scripts/worker",
      "scripts/worker.ts",
    ],
  },
  {
    promise: "people who work here run the site, and everything they did can be read",
    tests: ["tests/studio/"],
    folders: [...PAGES, "scripts"],
  },
  {
    promise: "subscriptions, their bills and their mails are right",
    tests: ["tests/billing/", "tests/demo/"],
    folders: [...MEMBERS, "demo", "scripts"],
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
      "app/domain/health",
      "app/domain/jobs",
      "app/domain/mail",
      "app/domain/media",
      "app/domain/uploads",
      "app/domain/viewer",
      "app/domain/viewing",
      "app/log.server.ts",
      "app/routes/media.$.ts",
      "app/sizes.ts",
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
      "app/live-events.ts",
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
      "app/domain/health/disk.server.ts",
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
      ".env.example",
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
      "vite.scripts.config.ts",
    ],
  },
];

/** The parts, and the tests that stand beside the code: a document cannot break one. */
export const AREAS: Row[] = [
  ...PARTS,
  {
    promise: "each function does what it says",
    tests: ["app/", "bench/", "db/", "demo/", "scripts/"],
    folders: ["bench", ...new Set(PARTS.flatMap(({ folders }) => folders))],
  },
].map((row) => ({ ...row, folders: [...row.folders, ...NAMED_EVERYWHERE] }));
