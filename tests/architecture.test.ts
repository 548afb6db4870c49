import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { type Import, importsOf, readRootSources, readSources } from "./support/imports.ts";

/** Who may import whom, as in docs/architecture.md. Everybody may import their own. */
const LAYERS: Record<string, string[]> = {
  routes: ["web", "domain", "ui", "paths"],
  frame: ["web", "domain", "ui", "paths", "config"],
  web: ["domain", "config", "paths", "content"],
  content: [],
  domain: ["db", "config", "paths"],
  // Types of the domain only: see the test below.
  ui: ["domain", "paths"],
  paths: [],
  config: [],
  db: ["config"],
  seed: ["db", "domain", "config", "paths"],
  scripts: ["seed", "domain", "db", "config", "paths", "web"],
};
const ROOMS: Record<string, string[]> = {
  mail: [],
  jobs: [],
  media: [],
  health: [],
  auth: ["mail", "jobs"],
  catalog: ["health", "media"],
  billing: ["auth", "mail", "jobs"],
  viewing: ["catalog"],
  favorites: ["catalog"],
};
/** The one rule of who may do what is pure, and every room may ask it. */
const THE_RULE = "app/domain/billing/access.ts";
const READS_ENVIRONMENT = [
  "app/config.server.ts",
  // These run before there is a configuration, or hand the environment on to the processes they start.
  "scripts/start/run-site.ts",
  "scripts/start/with-database.ts",
  "scripts/dev/screenshots.ts",
  "scripts/dev/stripe-stand-in.ts",
  "scripts/start.mjs",
  "scripts/start/build-state.mjs",
  "scripts/start/programs.mjs",
  "scripts/test.mjs",
  // Plain Node, which is given what the configuration has read.
  "scripts/web.cjs",
  // They start sites of their own, with nothing of this one's environment but the way to programs.
  "bench/bare-build.tsx",
  "bench/billing-programs.ts",
  "bench/lists.ts",
  "bench/pages.ts",
  "bench/start.ts",
  "playwright.config.ts",
];
/** However it is written. What Vite calls import.meta.env is no environment of the process. */
const ENVIRONMENT =
  /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[|\benv\b[^;=]*\}\s*=\s*process\b|["'](node:)?process["']/;
const GUARDS = "app/web/guards.server.ts";

const sources = readSources(["app", "db", "scripts"]);
const imports = sources.flatMap(importsOf);

test("imports run one way", () => {
  const wrong = imports.filter(({ from, to }) => !mayImport(layerOf(from), layerOf(to)));
  expect(wrong.map(sentence), table(LAYERS)).toEqual([]);
});

test("rooms of the domain use lower rooms only", () => {
  const wrong = imports.filter(({ from, to }) => {
    const [user, used] = [roomOf(from), roomOf(to)];
    if (user === null || used === null || user === used || to === THE_RULE) return false;
    return !ROOMS[user]?.includes(used);
  });
  expect(wrong.map(sentence), table(ROOMS)).toEqual([]);
  const rooms = readdirSync("app/domain");
  expect(
    rooms.filter((room) => !(room in ROOMS)),
    "rooms that the table does not know",
  ).toEqual([]);
});

test("who takes the payments is known in the billing room only, and their package behind its seam", () => {
  const providers = "app/domain/billing/providers/";
  const wrong = imports.filter(
    ({ from, to }) => to.startsWith(providers) && !from.startsWith("app/domain/billing/"),
  );
  expect(wrong.map(sentence)).toEqual([]);
  const users = sources.filter((source) =>
    source.statements.some(
      (part) => ts.isImportDeclaration(part) && part.moduleSpecifier.getText() === '"stripe"',
    ),
  );
  const strangers = users
    .map(({ fileName }) => fileName)
    .filter((name) => !name.startsWith(`${providers}stripe/`) && !name.startsWith("scripts/dev/"));
  expect(users.length).toBeGreaterThan(0);
  expect(strangers).toEqual([]);
});

test("nobody else names who takes the payments but its settings, the address of its events and the demo", () => {
  const naming = sources
    .filter(({ fileName, text }) => /stripe/i.test(text) && /^(app|db)\//.test(fileName))
    .map(({ fileName }) => fileName)
    .filter((name) => !name.startsWith("app/domain/billing/providers/") && !/\.test\.tsx?$/.test(name));
  expect(naming.sort()).toEqual(["app/config.server.ts", "app/paths.ts", "db/seed/demo-people.server.ts"]);
});

test("no route imports a route, and nothing else does", () => {
  expect(imports.filter(({ to }) => layerOf(to) === "routes").map(sentence)).toEqual([]);
});

test("the pages take types of the domain, never its code", () => {
  const wrong = imports.filter(
    ({ from, to, isTypeOnly }) => layerOf(from) === "ui" && layerOf(to) === "domain" && !isTypeOnly,
  );
  expect(wrong.map(sentence)).toEqual([]);
});

test("what only a server may run is not imported by what a browser runs", () => {
  const wrong = imports.filter(
    ({ from, to, isTypeOnly }) =>
      /\.server\.tsx?$/.test(to) && !isTypeOnly && (layerOf(from) === "ui" || from === "app/paths.ts"),
  );
  expect(wrong.map(sentence)).toEqual([]);
});

test("no file only hands on what others export", () => {
  const barrels = sources.filter((source) =>
    source.statements.some((part) => ts.isExportDeclaration(part) && part.moduleSpecifier),
  );
  expect(barrels.map(({ fileName }) => fileName)).toEqual([]);
});

test("the environment is read in one place, and where it is handed on", () => {
  const all = [...sources, ...readSources(["bench"]), ...readRootSources()];
  expect(all.map(({ fileName }) => fileName)).toEqual(
    expect.arrayContaining(["scripts/start.mjs", "vite.config.ts"]),
  );
  const readers = all.filter((source) => ENVIRONMENT.test(withoutComments(source)));
  expect(readers.map(({ fileName }) => fileName).sort()).toEqual(READS_ENVIRONMENT.toSorted());
});

test("every loader and every action begins with a guard", () => {
  const guards = guardNames();
  expect(guards).toContain("requireMember");
  const handlers = sources.filter(({ fileName }) => layerOf(fileName) === "routes").flatMap(handlersOf);
  expect(handlers.length).toBeGreaterThan(30);
  const unguarded = handlers.filter(
    ({ first }) => !guards.some((guard) => new RegExp(`\\b${guard}\\(`).test(first)),
  );
  // Alive says nothing of anybody and must answer when nothing else does.
  expect(unguarded.map(({ name }) => name)).toEqual(["app/routes/healthz.ts loader"]);
});

test.each([
  "/",
  "/creators",
  "/creators/:slug",
  "/content/:type",
  "/content/video/:slug",
  "/content/photoSet/:slug",
  "/content/photoSet/:slug/:n",
  "/subscribe",
  "/signin",
  "/signin/verify",
  "/signout",
  "/user/account",
  "/user/favorites",
  "/user/history",
  "/privacy",
  "/terms",
  "/about",
  "/2257",
  "/media/*",
  "/api/auth",
  "/api/views",
  "/api/favorites",
  "/api/color-mode",
  "/healthz",
  "/readyz",
  "/robots.txt",
  "/sitemap.xml",
])("there is a route for %s", (path) => {
  expect(readdirSync("app/routes").map(pathOf)).toContain(path);
});

test("what reads and writes the data for scripts is the version that Remix itself uses", () => {
  const versionOf = (path: string) => JSON.parse(readFileSync(path, "utf8")).dependencies["turbo-stream"];
  expect(versionOf("package.json")).toBe(versionOf("node_modules/@remix-run/server-runtime/package.json"));
});

test("a file of a route stays short enough to be read at once", () => {
  const long = sources
    .filter(({ fileName }) => fileName.startsWith("app/"))
    .map((source) => [source.fileName, source.getLineAndCharacterOfPosition(source.end).line] as const)
    .filter(([, lines]) => lines > 200);
  expect(long).toEqual([]);
});

function layerOf(path: string): string {
  if (path === "app/paths.ts") return "paths";
  if (path === "app/config.server.ts") return "config";
  const [top = "", second = ""] = path.split("/");
  if (top === "app") return path.split("/").length === 2 ? "frame" : second;
  return top === "db" && second === "seed" ? "seed" : top;
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

function guardNames(): string[] {
  return exportedFunctions(parsed(GUARDS)).map(({ name }) => name?.text ?? "");
}

function handlersOf(source: ts.SourceFile): { name: string; first: string }[] {
  return exportedFunctions(source)
    .filter(({ name }) => name?.text === "loader" || name?.text === "action")
    .map(({ name, body }) => ({
      name: `${source.fileName} ${name?.text}`,
      first: body?.statements[0]?.getText(source) ?? "",
    }));
}

function exportedFunctions(source: ts.SourceFile): ts.FunctionDeclaration[] {
  return source.statements.filter(
    (part): part is ts.FunctionDeclaration =>
      ts.isFunctionDeclaration(part) &&
      (part.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false),
  );
}

function parsed(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
}

/** The address of a file of flat routes: "user.account_.devices.ts" is /user/account/devices. */
function pathOf(file: string): string {
  const name = file.replace(/\.tsx?$/, "");
  const escaped = name.replaceAll(/\[(.)\]/g, (_, character: string) => character.replace(".", "\0"));
  const parts = escaped
    .split(".")
    .filter((part) => part !== "_index")
    .map((part) => part.replace(/_$/, "").replace(/^\$$/, "*").replace(/^\$/, ":").replaceAll("\0", "."));
  return `/${parts.join("/")}`;
}
