// Needed because remix-serve spends as much on a request as many responses cost, and prints every URL: decisions 101, 119.

import { existsSync, readdirSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { createRequire } from "node:module";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import { MEDIA } from "./readable-request.server.ts";

/** The second is not in the image. */
const FOLDERS = ["build/client", "public"];
/** A part of a route's path that is the same in every address; not ":slug", "*" or "en?". */
const STATIC_SEGMENT = /^[\w.-]+$/;

type Handle = (request: IncomingMessage, response: unknown, next: (error?: unknown) => void) => unknown;

/** As Express keeps them; `route` is that of a path, not of Remix. */
interface Layer {
  name: string;
  handle: Handle;
  route?: unknown;
}

interface Morgan {
  format(name: string, format: () => undefined): unknown;
}

/** remix-serve prints every URL with its query; a format that returns nothing prints nothing. */
export function silenceRemixServe(): void {
  const require = createRequire(import.meta.url);
  const morgan = createRequire(require.resolve("@remix-run/serve/dist/cli.js"))("morgan") as Morgan;
  morgan.format("tiny", () => undefined);
}

/** Skips work in remix-serve's Express application. */
export function lightenRemixServe(listener: RequestListener, build: ServerBuild): void {
  const { stack = [] } = (listener as { _router?: { stack?: Layer[] } })._router ?? {};
  for (const layer of stack) {
    if (layer.name === "compression") layer.handle = exceptForMedia(layer.handle);
    if (layer.name === "serveStatic") layer.handle = onlyForFiles(layer.handle);
    // It prints nothing (see silenceRemixServe), but watches each response.
    if (layer.name === "logger") layer.handle = (_request, _response, next) => next();
    if (layer.route !== undefined) layer.handle = amongPossibleRoutes(layer.handle, build);
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

/** Remix compares an address with all routes, twice, which is much of a poster's time. Most cannot match. */
function amongPossibleRoutes(answerAll: Handle, build: ServerBuild): Handle {
  const groups = routeGroups(build);
  const handlers = new Map<string, Handle>();
  return (request, response, next) => {
    const group = groupOf(request.url, groups);
    if (group === null) return answerAll(request, response, next);
    const known = handlers.get(group);
    if (known) return known(request, response, next);
    const made = createRequestHandler({ build: withRoutesOf(build, group) }) as Handle;
    handlers.set(group, made);
    return made(request, response, next);
  };
}

/** "user/account" for the address that a route has without parameters, "content/" for all below a first segment. */
export function routeGroups({ routes }: ServerBuild): Set<string> {
  return new Set(
    Object.keys(routes).flatMap((id) => {
      const segments = segmentsOf(routes, id);
      const [first] = segments;
      const below = first !== undefined && isStatic(first) ? [`${first}/`] : [];
      return segments.every(isStatic) ? [segments.join("/"), ...below] : below;
    }),
  );
}

/** The smallest group of the address, of a data form too; null without one. Parsed as in Remix, which resolves "..". */
export function groupOf(target = "/", groups: Set<string>): string | null {
  const { pathname } = new URL(`http://site.invalid${target}`);
  const path = decodeURIComponent(pathname)
    .toLowerCase()
    .replace(/\.data$/, "")
    .replaceAll(/^\/+|\/+$/g, "");
  const [first] = path.split("/", 1);
  return [path, `${first}/`].find((group) => groups.has(group)) ?? null;
}

/** The routes that may match an address of this group. */
export function withRoutesOf(build: ServerBuild, group: string): ServerBuild {
  const isWhole = !group.endsWith("/");
  const given = group.split("/").filter(Boolean);
  const mayMatch = (id: string) => {
    const segments = segmentsOf(build.routes, id);
    const parameter = segments.findIndex((segment) => !isStatic(segment));
    const fixed = parameter < 0 ? segments : segments.slice(0, parameter);
    const compared = isWhole ? fixed : fixed.slice(0, given.length);
    return compared.every((segment, index) => segment === given[index]);
  };
  const only = <Routes extends object>(routes: Routes) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => mayMatch(id))) as Routes;
  return {
    ...build,
    routes: only(build.routes),
    assets: { ...build.assets, routes: only(build.assets.routes) },
  };
}

function isStatic(segment: string): boolean {
  return STATIC_SEGMENT.test(segment);
}

/** Those of the route's path and its parents', in lower case, because addresses are compared without it. */
function segmentsOf(routes: ServerBuild["routes"], id = ""): string[] {
  const route = routes[id];
  if (route === undefined) return [];
  const own = route.path?.toLowerCase().split("/").filter(Boolean) ?? [];
  return [...segmentsOf(routes, route.parentId), ...own];
}

/** Empty for the home page. The target was checked to be decodable. */
function firstSegment(target = "/"): string {
  const [path = ""] = target.split("?", 1);
  return decodeURIComponent(/^\/+([^/]*)/.exec(path)?.[1] ?? "");
}
