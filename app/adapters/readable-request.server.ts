// Needed because remix-serve and Remix fail on addresses and origins that HTTP allows: decision 090.

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { config } from "#app/config.server.ts";
import type { RequestRefusal } from "#app/web/request/request-context.server.ts";
import { BAD_METHOD, METHODS } from "#app/web/server/refusal.server.ts";

type BuiltRoutes = ServerBuild["routes"];
type RouteTree = Parameters<typeof matchRoutes>[0];

const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
/** Matches no route, so that our own error page answers instead of remix-serve's. */
const NOT_FOUND = "/not-an-address";
export const MEDIA = "/media/";
const ORIGINAL = /^\/studio\/media\/[\w-]+\/originals\/\w+$/;
/** Four times the longest path. Matching a path of 14 KB takes 200 ms. */
const MAX_PATH_LENGTH = 512;

/** remix-serve answers these on static files with its own error. Only media and originals need them. */
const RANGE_HEADERS = ["range", "if-range", "if-match", "if-unmodified-since"];
const BAD_TARGET: RequestRefusal = {
  status: 400,
  sentence: "The server could not read the address of this request.",
};
const BAD_HOST: RequestRefusal = {
  status: 400,
  sentence: "The server could not read the host of this request.",
};

/** Rewrites the request to what Express and Remix can parse, or refuses it. */
export function rewriteTarget(request: IncomingMessage): RequestRefusal | null {
  if (!METHODS.has(request.method ?? "")) return BAD_METHOD;
  if (!rewriteAbsoluteForm(request)) return BAD_TARGET;
  if (!hasReadableHost(request)) return BAD_HOST;
  const [path = "/", ...query] = (request.url ?? "/").split("?");
  const isMedia = path.startsWith(MEDIA);
  if (!isMedia && !ORIGINAL.test(path)) for (const name of RANGE_HEADERS) delete request.headers[name];
  request.url = (isDecodable(path) ? path : isMedia ? MEDIA : NOT_FOUND) + rewrittenQuery(query.join("?"));
  return null;
}

/** "GET http://host/path" is valid HTTP; its host overrides the Host header. */
function rewriteAbsoluteForm(request: IncomingMessage): boolean {
  const target = request.url ?? "";
  if (target.startsWith("/")) return true;
  const [, host = "", rest = ""] = /^https?:\/\/([^/?#]+)((?:[/?][^#]*)?)$/i.exec(target) ?? [];
  if (host === "") return false;
  request.headers.host = host;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  return true;
}

function hasReadableHost({ headers }: IncomingMessage): boolean {
  const forwarded = headers["x-forwarded-host"]?.toString().split(",") ?? [];
  const hosts = [...(headers.host === undefined ? [] : [headers.host]), ...forwarded];
  return hosts.every((host) => HOST.test(host.trim()) && URL.canParse(`http://${host.trim()}`));
}

/** Postgres cannot store NUL in text. */
function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes("\0");
  } catch {
    return false;
  }
}

/** Remix logs its former data parameter as an error. */
function rewrittenQuery(query: string): string {
  const kept = query
    .split("&")
    .filter((part) => !new URLSearchParams(part).has("_data"))
    .join("&")
    .replaceAll("%00", "%EF%BF%BD");
  return kept === "" ? "" : `?${kept}`;
}

/** Remix would read the data form of a file into memory. Needs a decodable path. */
export function rewritePath(request: IncomingMessage, routes: BuiltRoutes): void {
  const { pathname } = new URL(`http://site.invalid${request.url}`);
  if (pathname.length > MAX_PATH_LENGTH || isMediaAsData(request, pathname, routes)) {
    request.url = NOT_FOUND;
  }
}

/** Remix cuts off ".data" and matches the rest. Only a route with a page has a data form. */
function isMediaAsData({ method }: IncomingMessage, pathname: string, routes: BuiltRoutes): boolean {
  if (!pathname.endsWith(".data")) return false;
  const matches = matchRoutes(routeTree(routes), pathname.replace(/\.data$/, ""));
  const handlers = routes[matches?.at(-1)?.route.id ?? ""]?.module;
  if (handlers === undefined || handlers.default !== undefined) return false;
  return method === "GET" || method === "HEAD" || handlers.action === undefined;
}

function routeTree(routes: BuiltRoutes, parentId?: string): RouteTree {
  return Object.values(routes).flatMap((route): RouteTree => {
    if (route === undefined || route.parentId !== parentId) return [];
    const { id, path, index, caseSensitive } = route;
    return [index ? { id, path, index } : { id, path, caseSensitive, children: routeTree(routes, id) }];
  });
}

/** Remix refuses an Origin unlike Host, even when a proxy renames it. Sec-Fetch-Site tells the intent anyway. */
export function rewriteOrigin(headers: IncomingHttpHeaders): void {
  const { origin } = headers;
  const host = headers["x-forwarded-host"]?.toString().split(",", 1)[0]?.trim() ?? headers.host;
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) return;
  delete headers.origin;
  if (origin !== config.origin) headers["sec-fetch-site"] = "cross-site";
  else headers["sec-fetch-site"] ??= "same-origin";
}
