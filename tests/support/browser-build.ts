import { readdirSync, readFileSync } from "node:fs";
import { constants, gzipSync } from "node:zlib";

/** The limit on what a list may make a browser load, in compressed bytes. */
export const BYTE_BUDGETS = { js: 130_000, css: 25_000 };
/** The same on what opening the lightbox may add to the page of a set, PhotoSwipe among it. */
export const LIGHTBOX_BUDGETS = { js: 24_000, css: 3_000 };
/** The same on what playing adds to a list's page: with one audio track, and with several, which need the full hls.js. */
export const PLAYER_BUDGETS = { light: { js: 140_000 }, full: { js: 208_000 } };

export interface Asset {
  path: string;
  bytes: number;
}

interface Loaded {
  module: string;
  imports?: string[];
  css?: string[];
}

interface Manifest {
  entry: Loaded;
  routes: Record<string, Loaded & { parentId?: string }>;
}

const ASSETS = "build/client/assets";

/** The files that a browser loads for these routes and their parent routes, according to the build. Needs a build. */
export function assetsOfRoutes(routeIds: string[]): Asset[] {
  const { entry, routes } = readManifest();
  const loaded = new Set<string>();
  const queue: Loaded[] = [entry];
  for (const routeId of routeIds) {
    for (let id: string | undefined = routeId; id !== undefined; ) {
      const route: Manifest["routes"][string] | undefined = routes[id];
      if (route === undefined) throw new Error(`The build knows no route ${id}`);
      queue.push(route);
      id = route.parentId;
    }
  }
  for (const { module, imports = [], css = [] } of queue) {
    for (const path of [module, ...imports, ...css]) loaded.add(path);
  }
  for (const path of loaded) for (const imported of importsOf(path)) loaded.add(imported);
  return [...loaded].map(assetAt);
}

/** The files that a browser loads with the chunk of this name beyond those that it has loaded. */
export function assetsOfChunk(name: string, before: Asset[]): Asset[] {
  const isChunk = (file: string) => file.startsWith(`${name}-`) && /\.(?:js|css)$/.test(file);
  const paths = readdirSync(ASSETS)
    .filter(isChunk)
    .map((file) => `/assets/${file}`);
  const chunk = new Set(paths);
  for (const path of chunk) for (const imported of importsOf(path)) chunk.add(imported);
  for (const { path } of before) chunk.delete(path);
  return [...chunk].map(assetAt);
}

/** The files that this one must import before it runs. */
function importsIn(source: string, path: string): string[] {
  const names = source.matchAll(/(?:from|import)\s*"(\.\/[^"]+\.js)"/g);
  return [...names].map(([, name = ""]) => new URL(name, `http://localhost${path}`).pathname);
}

/** Formats files as lines, the largest first. */
export function assetTable(files: Asset[]): string {
  const rows = files.toSorted((a, b) => b.bytes - a.bytes);
  const inAll = { path: "in all", bytes: totalOf(files) };
  return ["", ...[...rows, inAll].map(({ path, bytes }) => `${String(bytes).padStart(8)}  ${path}`)].join(
    "\n",
  );
}

export function totalOf(files: Asset[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Compressed as the build does it. */
function assetAt(path: string): Asset {
  const level = constants.Z_BEST_COMPRESSION;
  return { path, bytes: gzipSync(readFileSync(`build/client${path}`), { level }).length };
}

function importsOf(path: string): string[] {
  return path.endsWith(".js") ? importsIn(readFileSync(`build/client${path}`, "utf8"), path) : [];
}

function readManifest(): Manifest {
  const name = readdirSync(ASSETS).find((file) => /^manifest-\w+\.js$/.test(file));
  const [, json = ""] =
    /^window\.__remixManifest=(.*?);?\s*$/s.exec(readFileSync(`${ASSETS}/${name}`, "utf8")) ?? [];
  return JSON.parse(json);
}
