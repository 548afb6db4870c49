import { existsSync, readdirSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import { MEDIA } from "./request-target.server.ts";

/** The second is not in the image. */
const FOLDERS = ["build/client", "public"];
/** The beginning of a route's path that is the same in every address: "content/:type" has one, ":slug" has none. */
const STATIC_SEGMENT = /^[\w.-]+(?=\/|$)/;

type Handle = (request: IncomingMessage, response: unknown, next: (error?: unknown) => void) => unknown;

/** As Express keeps them; `route` is that of a path, not of Remix. */
interface Layer {
  name: string;
  handle: Handle;
  route?: unknown;
}

/** Skips work in remix-serve's Express application that costs as much as many responses. */
export function lightenRemixServe(listener: RequestListener, build: ServerBuild): void {
  const { stack = [] } = (listener as { _router?: { stack?: Layer[] } })._router ?? {};
  for (const layer of stack) {
    if (layer.name === "compression") layer.handle = exceptForMedia(layer.handle);
    if (layer.name === "serveStatic") layer.handle = onlyForFiles(layer.handle);
    // It prints nothing (see silenceRemixServe), but watches each response.
    if (layer.name === "logger") layer.handle = (_request, _response, next) => next();
    if (layer.route !== undefined) layer.handle = amongRoutesOfSegment(layer.handle, build);
  }
}

/** Media files are sent as they are stored. */
function exceptForMedia(compress: Handle): Handle {
  return (request, response, next) => {
    if (request.url?.startsWith(MEDIA)) next();
    else compress(request, response, next);
  };
}

/** Express looks for each page in both folders on disk. */
function onlyForFiles(serve: Handle): Handle {
  const names = new Set(FOLDERS.filter(existsSync).flatMap((folder) => readdirSync(folder)));
  return (request, response, next) => {
    if (names.has(firstSegment(request.url))) serve(request, response, next);
    else next();
  };
}

/** Remix compares an address with all routes, twice, which is much of a poster's time. Most routes begin with another segment. */
function amongRoutesOfSegment(answerAll: Handle, build: ServerBuild): Handle {
  const handlers = new Map(
    [...segmentsOf(build)].map((segment) => [
      segment,
      createRequestHandler({ build: withRoutesOf(build, segment) }) as Handle,
    ]),
  );
  return (request, response, next) =>
    (handlers.get(routeSegment(request.url)) ?? answerAll)(request, response, next);
}

/** The first segment of the route that may answer, of a data form too. Parsed as in Remix, which resolves "..". */
export function routeSegment(target = "/"): string {
  const { pathname } = new URL(`http://site.invalid${target}`);
  return firstSegment(pathname)
    .toLowerCase()
    .replace(/\.data$/, "");
}

export function segmentsOf({ routes }: ServerBuild): Set<string> {
  return new Set(Object.keys(routes).flatMap((id) => staticSegment(routes, id) ?? []));
}

/** The routes that match an address with this first segment, or none in particular. */
export function withRoutesOf(build: ServerBuild, segment: string): ServerBuild {
  const only = <Routes extends object>(routes: Routes) => {
    const possible = ([id]: [string, unknown]) => (staticSegment(build.routes, id) ?? segment) === segment;
    return Object.fromEntries(Object.entries(routes).filter(possible)) as Routes;
  };
  return {
    ...build,
    routes: only(build.routes),
    assets: { ...build.assets, routes: only(build.assets.routes) },
  };
}

/** In lower case, because addresses are compared without it. Null for a layout of any address and for "/". */
function staticSegment(routes: ServerBuild["routes"], id: string): string | null {
  return STATIC_SEGMENT.exec(pathOf(routes, id))?.[0].toLowerCase() ?? null;
}

function pathOf(routes: ServerBuild["routes"], id = ""): string {
  const route = routes[id];
  if (route === undefined) return "";
  return [pathOf(routes, route.parentId), route.path].filter(Boolean).join("/");
}

/** Empty for the home page. The target was checked to be decodable. */
function firstSegment(target = "/"): string {
  const [path = ""] = target.split("?", 1);
  return decodeURIComponent(/^\/+([^/]*)/.exec(path)?.[1] ?? "");
}
