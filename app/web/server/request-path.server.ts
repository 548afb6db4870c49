import type { IncomingMessage } from "node:http";
import type { ServerBuild } from "@remix-run/node";
import { matchRoutes } from "@remix-run/react";
import { NOT_FOUND } from "./request-target.server.ts";

type BuiltRoutes = ServerBuild["routes"];
type RouteTree = Parameters<typeof matchRoutes>[0];

/** Four times the longest path of this site. Matching a path of 14 KB against the routes takes 200 ms. */
const MAX_PATH_LENGTH = 512;

/** Rewrites long paths, and data forms of files: Remix would read these into memory. Needs a decodable path. */
export function settlePath(request: IncomingMessage, routes: BuiltRoutes): void {
  // Parsed as in Remix.
  const { pathname } = new URL(`http://site.invalid${request.url}`);
  if (pathname.length > MAX_PATH_LENGTH || isMediaAsData(request, pathname, routes)) {
    request.url = NOT_FOUND;
  }
}

/** Single fetch cuts off ".data" and matches the rest. Only a route with a page has a data form. */
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
