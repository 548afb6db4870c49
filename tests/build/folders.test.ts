import { dirname } from "node:path";
import { expect, test } from "vitest";
import { importsOf, readSources } from "../support/sources/imports.ts";

/** The imports that the folders of a room may make from each other, as in docs/architecture.md. */
const INSIDE: Record<string, Record<string, string[]>> = {
  "app/domain/billing": {
    cancellation: ["checkout", "mails", "subscriptions", "sync", "providers", "rules"],
    checkout: ["offers", "subscriptions", "sync", "providers", "rules"],
    events: ["sync", "providers", "rules"],
    account: ["subscriptions", "sync", "providers", "rules"],
    sync: ["mails", "offers", "subscriptions", "providers", "rules"],
    mails: ["subscriptions", "rules"],
    offers: ["providers", "rules"],
    subscriptions: ["providers", "rules"],
    providers: ["rules"],
    rules: [],
  },
  "app/domain/catalog": {
    ".": ["creators", "lists", "cards", "media"],
    creators: ["lists", "cards", "media"],
    lists: ["cards", "media"],
    cards: ["media"],
    edit: ["lists", "media"],
    encoding: ["edit", "media", "originals"],
    import: ["edit", "media"],
    originals: ["edit", "media"],
    downloads: ["media"],
    media: [],
  },
  "app/web": {
    studio: ["pages"],
    media: ["server", "session", "request"],
    forms: ["media", "pages", "session", "request"],
    live: ["server", "metrics", "session"],
    server: ["metrics", "request", "pages"],
    metrics: ["request"],
    session: ["request"],
    request: ["pages"],
    pages: [],
  },
  "app/ui": {
    favorites: ["catalog", "cards", "progress", "forms", "parts", "navigation"],
    catalog: ["cards", "parts", "navigation"],
    cards: ["parts", "navigation"],
    photos: ["cards", "progress", "parts", "navigation"],
    player: ["progress", "parts"],
    progress: ["forms", "parts", "navigation"],
    account: ["forms", "parts", "theme"],
    cancellation: ["forms", "parts", "theme"],
    subscribe: ["forms", "parts", "theme"],
    studio: ["catalog", "prose", "forms", "session", "parts", "navigation", "live", "theme"],
    forms: ["parts", "theme"],
    shell: ["session", "parts", "navigation"],
    errors: ["parts"],
    session: ["parts"],
    live: ["parts"],
    prose: ["parts"],
    parts: ["navigation"],
    navigation: [],
    theme: [],
  },
};

const imports = readSources(["app", "bench", "db", "demo", "scripts"]).flatMap(importsOf);

test.each(Object.entries(INSIDE))("folders of %s use the folders below them only", (room, table) => {
  const wrong = imports.filter(({ from, to }) => {
    const [user, used] = [folderIn(room, from), folderIn(room, to)];
    return user !== null && used !== null && user !== used && !table[user]?.includes(used);
  });
  const allowed = Object.entries(table).map(([user, used]) => `${user} → ${used.join(", ") || "nothing"}`);
  expect(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    allowed.join("\n"),
  ).toEqual([]);
});

test("no imports run in a circle", () => {
  expect(
    circles((path) => path),
    "move what both need into a file below them",
  ).toEqual([]);
  expect(circles(folderOf), "move what both need into a folder below them").toEqual([]);
});

/** "." for a file of the room's own folder; null outside of the room. */
function folderIn(room: string, path: string): string | null {
  if (!path.startsWith(`${room}/`)) return null;
  const [folder = "", ...rest] = path.slice(room.length + 1).split("/");
  return rest.length === 0 ? "." : folder;
}

/** The files of app itself are the frame around all folders, and the settings and addresses below them. */
function folderOf(path: string): string {
  return dirname(path) === "app" ? path : dirname(path);
}

/** Each circle once, as the nodes on it. */
function circles(nodeOf: (path: string) => string): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [user, used] = [nodeOf(from), nodeOf(to)];
    if (user !== used) next.set(user, (next.get(user) ?? new Set()).add(used));
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, path: string[]) => {
    const start = path.indexOf(node);
    if (start >= 0) found.push([...path.slice(start), node].join(" → "));
    if (start >= 0 || done.has(node)) return;
    for (const used of next.get(node) ?? []) visit(used, [...path, node]);
    done.add(node);
  };
  for (const node of next.keys()) visit(node, []);
  return found;
}
