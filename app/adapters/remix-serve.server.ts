// Needed because remix-serve treats a stored file as a page, looks for each page on the disk and prints every URL, and Remix
// compiles all routes several times for each request: decisions 101, 119, 211.

import { readdirSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { createRequire } from "node:module";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import { routePattern, routesAt, UNKNOWN } from "#app/web/server/route-pattern.ts";
import { MEDIA } from "./readable-request.server.ts";

const MEDIA_ROUTES = ["routes/media.$", "routes/media.$id.master[.]m3u8", "routes/media.$id.photos[.]zip"];
const NOT_FOR_MEDIA = ["compression", "logger"];
/** Answers what the others do not match. */
const NOT_FOUND = "routes/$";

type Handle = (request: IncomingMessage, response: unknown, next: (error?: unknown) => void) => unknown;

/** `route` is one of Express, not of Remix. */
interface Layer {
  name: string;
  handle: Handle;
  route?: unknown;
}

interface Morgan {
  format(name: string, format: () => undefined): unknown;
}

/** A format that returns nothing prints nothing. */
export function silenceRemixServe(): void {
  const require = createRequire(import.meta.url);
  const morgan = createRequire(require.resolve("@remix-run/serve/dist/cli.js"))("morgan") as Morgan;
  morgan.format("tiny", () => undefined);
}

/** The layers for pages took half of a poster's 1.1 ms, and a visit has 24 posters. */
export function lightenRemixServe(listener: RequestListener, build: ServerBuild): void {
  const { stack = [] } = (listener as { _router?: { stack?: Layer[] } })._router ?? {};
  const isFile = filesIn(build.assetsBuildDirectory);
  for (const layer of stack) {
    const { name, handle } = layer;
    if (layer.route !== undefined) layer.handle = byRoute(build, handle);
    else if (name === "serveStatic") layer.handle = only(({ url }) => !isMedia(url) && isFile(url), handle);
    else if (NOT_FOR_MEDIA.includes(name)) layer.handle = only(({ url }) => !isMedia(url), handle);
  }
}

function only(isFor: (request: IncomingMessage) => boolean, handle: Handle): Handle {
  return (request, response, next) => (isFor(request) ? handle(request, response, next) : next());
}

/** No page lies in the folder of files, so that only its own names are looked for. */
function filesIn(folder: string): (target?: string) => boolean {
  const names = new Set(readdirSync(folder));
  return (target = "/") => target.includes("%") || names.has(target.split(/[/?]/, 2)[1] ?? "");
}

/** Each handler knows only the routes of one pattern, and is made once. */
function byRoute(build: ServerBuild, ofAll: Handle): Handle {
  const made = new Map<string, Handle>();
  const make = (pattern: string) => {
    const ids = pattern === MEDIA ? MEDIA_ROUTES : routesAt(pattern);
    return ids.length === 0 ? ofAll : (createRequestHandler({ build: withRoutes(build, ids) }) as Handle);
  };
  return (request, response, next) => {
    const pattern = isMedia(request.url) ? MEDIA : readPattern(request.url);
    const handle = made.get(pattern) ?? make(pattern);
    made.set(pattern, handle);
    return handle(request, response, next);
  };
}

/** Unknown where the router may read the path otherwise. */
function readPattern(target = "/"): string {
  const [path = "/"] = target.split("?", 1);
  return /%|\/\/|\\|\/\./.test(path) ? UNKNOWN : routePattern(path);
}

/** Parsed like Remix, which resolves "..". */
export function isMedia(target = "/"): boolean {
  return new URL(`http://site.invalid${target}`).pathname.startsWith(MEDIA);
}

export function withRoutes(build: ServerBuild, ids: string[]): ServerBuild {
  const kept = new Set<string>();
  for (const id of [...ids, NOT_FOUND])
    for (let route = build.routes[id]; route !== undefined; route = build.routes[route.parentId ?? ""])
      kept.add(route.id);
  const only = <Routes extends object>(routes: Routes) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => kept.has(id))) as Routes;
  // For a media address with a line break Remix renders an error, which would name the modules of all routes.
  return {
    ...build,
    routes: only(build.routes),
    assets: { ...build.assets, routes: only(build.assets.routes) },
  };
}
