// Needed because remix-serve treats a stored file as a page and prints every URL: decisions 101, 119, 146.

import type { IncomingMessage, RequestListener } from "node:http";
import { createRequire } from "node:module";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import { MEDIA } from "./readable-request.server.ts";

const MEDIA_ROUTES = ["routes/media.$", "routes/media.$id.master[.]m3u8", "routes/media.$id.photos[.]zip"];
const NOT_FOR_MEDIA = ["compression", "serveStatic", "logger"];

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
  for (const layer of stack) {
    if (layer.route !== undefined) {
      const answerMedia = createRequestHandler({ build: withMediaRoute(build) }) as Handle;
      layer.handle = chosen(answerMedia, layer.handle);
    } else if (NOT_FOR_MEDIA.includes(layer.name)) {
      layer.handle = chosen((_request, _response, next) => next(), layer.handle);
    }
  }
}

function chosen(forMedia: Handle, forOthers: Handle): Handle {
  return (request, response, next) => (isMedia(request.url) ? forMedia : forOthers)(request, response, next);
}

/** Parsed like Remix, which resolves "..". */
export function isMedia(target = "/"): boolean {
  return new URL(`http://site.invalid${target}`).pathname.startsWith(MEDIA);
}

export function withMediaRoute(build: ServerBuild): ServerBuild {
  const kept = new Set<string>();
  for (const id of MEDIA_ROUTES)
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
