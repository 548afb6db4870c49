import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { type Import, importsOf, readRootSources, readSources } from "../support/sources/imports.ts";

/** The allowed imports between layers, as in docs/architecture.md. Each layer may import itself. */
const LAYERS: Record<string, string[]> = {
  routes: ["adapters", "web", "domain", "ui", "log", "paths", "dates", "texts"],
  frame: ["adapters", "web", "domain", "ui", "log", "paths", "config"],
  // The measures that a package needs, around the layers that do not know it.
  adapters: ["web", "domain", "log", "config", "paths"],
  web: ["domain", "log", "config", "paths", "dates", "content", "texts"],
  // nginx's configuration follows the site's own rules.
  front: ["web", "ui", "config"],
  content: [],
  domain: ["db", "config", "paths", "dates", "texts"],
  // The layer may import only types from the domain and of answers: see the test below.
  ui: ["domain", "web", "paths", "texts"],
  log: ["config"],
  paths: [],
  dates: [],
  texts: [],
  config: ["texts"],
  db: ["config"],
  demo: ["db", "domain", "config", "paths", "dates"],
  scripts: ["demo", "front", "domain", "db", "log", "config", "paths", "dates", "texts"],
  // The program that runs the tests reads what they import, and ends what they have started.
  testing: ["scripts", "tests", "db"],
};
const ROOMS: Record<string, string[]> = {
  staff: [],
  access: ["staff"],
  viewer: ["access", "auth", "billing", "staff"],
  keys: [],
  announcements: [],
  mail: ["jobs", "site"],
  jobs: [],
  totals: [],
  media: [],
  site: ["staff", "announcements", "media", "totals"],
  backup: ["health", "media"],
  alarms: ["auth", "backup", "billing", "health", "jobs", "mail", "site", "staff"],
  health: ["keys", "media"],
  auth: ["keys", "mail", "jobs", "staff", "totals", "site"],
  account: ["keys", "auth", "billing", "mail", "jobs", "staff", "totals", "site", "uploads"],
  catalog: ["auth", "health", "jobs", "media", "staff", "totals", "site"],
  uploads: ["catalog", "health", "jobs", "media", "staff"],
  billing: ["keys", "auth", "mail", "jobs", "staff", "totals", "site"],
  viewing: ["keys", "catalog", "totals"],
  favorites: ["catalog"],
  home: ["catalog", "viewing", "favorites"],
};
const TEXTS = ["texts", "sizes", "clock-times", "counts", "file-limits", "live-events", "heartbeat"].map(
  (name) => `app/${name}.ts`,
);
/** The access rule is pure, and every room may use it. */
const THE_RULE = "access";
const READS_ENVIRONMENT = [
  "app/config.server.ts",
  // These run before the configuration exists, or pass the environment to child processes.
  "scripts/supervisor/run-site.ts",
  "scripts/build/check-settings.ts",
  "scripts/command/load-env.ts",
  "scripts/command/with-database.ts",
  "scripts/dev/screenshots.ts",
  "scripts/build/pass-signals.mjs",
  "scripts/build/project-node.mjs",
  "scripts/build/programs.mjs",
  "scripts/testing/run.ts",
  "scripts/testing/tools.ts",
  // This program receives the values that the configuration has read.
  "scripts/web.ts",
  "scripts/supervisor/blocked-processes.ts",
  "scripts/supervisor/run-stand-in.ts",
  "scripts/worker/run-worker.ts",
  // These start their own sites and take only paths of programs from the environment.
  "bench/bare/build.tsx",
  "bench/bare/serve.ts",
  "bench/lists/lists.ts",
  "bench/peer/ghost.ts",
  "bench/site/site.ts",
  "bench/start.ts",
  "playwright.config.ts",
];
/** Everything else asks what a provider can do, never which one it is (decision 218). */
const NAMES_PROVIDERS = [
  "app/config.server.ts",
  "app/config/btcpay-settings.ts",
  "app/config/ccbill-settings.ts",
  "app/config/settings.ts",
  "app/domain/billing/providers/contract/capabilities.ts",
  "app/domain/billing/providers/providers.server.ts",
];
/** Matches every notation. Vite's import.meta.env is not the process's environment. */
const ENVIRONMENT =
  /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[|\benv\b[^;=]*\}\s*=\s*process\b|["'](node:)?process["']/;

const sources = readSources(["app", "db", "demo", "scripts"]);
const imports = sources.flatMap(importsOf);

test("imports run one way", () => {
  const wrong = imports.filter(({ from, to }) => !mayImport(layerOf(from), layerOf(to)));
  expect(wrong.map(sentence), table(LAYERS)).toEqual([]);
});

test("rooms of the domain use lower rooms only", () => {
  const wrong = imports.filter(({ from, to }) => {
    const [user, used] = [roomOf(from), roomOf(to)];
    if (user === null || used === null || user === used || used === THE_RULE) return false;
    return !ROOMS[user]?.includes(used);
  });
  expect(wrong.map(sentence), table(ROOMS)).toEqual([]);
  const rooms = readdirSync("app/domain");
  expect(
    rooms.filter((room) => !(room in ROOMS)),
    "rooms that the table does not know",
  ).toEqual([]);
});

const PROVIDERS = "app/domain/billing/providers/";
const ADAPTERS = readdirSync(PROVIDERS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["calls", "contract", "facts"].includes(entry.name))
  .map(({ name }) => name);

test("only the billing room knows the payment providers, and what one of them says stays in its adapter", () => {
  // Pages report that a provider is unreachable, and their forms redirect to its pages.
  const forOthers = `${PROVIDERS}providers.server.ts`;
  const wrong = imports.filter(
    ({ from, to }) => to.startsWith(PROVIDERS) && to !== forOthers && !from.startsWith("app/domain/billing/"),
  );
  expect(wrong.map(sentence), `call ${forOthers}, or a function of the billing room`).toEqual([]);
  const inside = imports.filter(({ from, to }) => {
    const adapter = ADAPTERS.find((name) => to.startsWith(`${PROVIDERS}${name}/`));
    return adapter !== undefined && from !== forOthers && !from.startsWith(`${PROVIDERS}${adapter}/`);
  });
  expect(inside.map(sentence), "ask the provider through its contract").toEqual([]);
  expect(ADAPTERS).toContain("stripe");
  const naming = ADAPTERS.flatMap((name) =>
    sources
      .filter(({ fileName }) => fileName.startsWith("app/") && !NAMES_PROVIDERS.includes(fileName))
      .filter(({ fileName }) => !fileName.startsWith(`${PROVIDERS}${name}/`))
      .filter(({ text }) => new RegExp(`\\b${name}`, "i").test(text.replaceAll(/\bstripes\b/g, "")))
      .map(({ fileName }) => `${fileName} names ${name}`),
  );
  expect(naming, "ask a capability, or move it into the adapter").toEqual([]);
});

test("the pages import types of the domain and of answers, never their code", () => {
  const wrong = imports.filter(
    ({ from, to, isTypeOnly }) =>
      layerOf(from) === "ui" && ["domain", "web"].includes(layerOf(to)) && !isTypeOnly,
  );
  expect(wrong.map(sentence), "let the route's loader call it, and take the result as a prop").toEqual([]);
});

test("code for the server is not imported by code for the browser", () => {
  const wrong = imports.filter(
    ({ from, to, isTypeOnly }) =>
      /\.server\.tsx?$/.test(to) && !isTypeOnly && (layerOf(from) === "ui" || from === "app/paths.ts"),
  );
  expect(wrong.map(sentence), "import types only, or move the pure part out of the .server file").toEqual([]);
});

test("no file re-exports what others export", () => {
  const barrels = sources.filter((source) =>
    source.statements.some((part) => ts.isExportDeclaration(part) && part.moduleSpecifier),
  );
  expect(
    barrels.map(({ fileName }) => fileName),
    "import from the file that declares it",
  ).toEqual([]);
});

test("the environment is read in one file, and where it is passed to another process", () => {
  const all = [...sources, ...readSources(["bench"]), ...readRootSources()];
  expect(all.map(({ fileName }) => fileName)).toEqual(
    expect.arrayContaining(["scripts/start.mjs", "vite.config.ts"]),
  );
  const readers = all.filter((source) => ENVIRONMENT.test(withoutComments(source)));
  expect(readers.map(({ fileName }) => fileName).sort(), "add a setting to app/config.server.ts").toEqual(
    READS_ENVIRONMENT.toSorted(),
  );
});

test("turbo-stream is the version that Remix itself uses", () => {
  const versionOf = (path: string) => JSON.parse(readFileSync(path, "utf8")).dependencies["turbo-stream"];
  expect(versionOf("package.json")).toBe(versionOf("node_modules/@remix-run/server-runtime/package.json"));
});

function layerOf(path: string): string {
  if (path === "app/paths.ts") return "paths";
  if (path === "app/dates.ts") return "dates";
  if (TEXTS.includes(path)) return "texts";
  if (/^app\/config[./]/.test(path)) return "config";
  if (path.startsWith("app/log.")) return "log";
  if (path.startsWith("scripts/testing/")) return "testing";
  const [top = "", second = ""] = path.split("/");
  if (top === "app") return path.split("/").length === 2 ? "frame" : second;
  return top;
}

function mayImport(user: string, used: string): boolean {
  return user === used || (LAYERS[user]?.includes(used) ?? false);
}

function roomOf(path: string): string | null {
  return /^app\/domain\/([^/]+)\//.exec(path)?.[1] ?? null;
}

function sentence({ from, to }: Import): string {
  return `${from} imports ${to}`;
}

function table(rows: Record<string, string[]>): string {
  return Object.entries(rows)
    .map(([user, used]) => `${user} → ${used.join(", ") || "nothing"}`)
    .join("\n");
}

function withoutComments(source: ts.SourceFile): string {
  return ts.createPrinter({ removeComments: true }).printFile(source);
}
