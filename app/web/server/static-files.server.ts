import { existsSync, readdirSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";

/** The second is not in the image. */
const FOLDERS = ["build/client", "public"];

interface Layer {
  name: string;
  handle: (request: IncomingMessage, response: unknown, next: () => void) => void;
}

/** remix-serve looks for each page on the disk, in both folders. */
export function skipDiskForPages(listener: RequestListener): void {
  const { stack = [] } = (listener as { _router?: { stack?: Layer[] } })._router ?? {};
  const names = new Set(FOLDERS.filter(existsSync).flatMap((folder) => readdirSync(folder)));
  for (const layer of stack) {
    if (layer.name !== "serveStatic") continue;
    const serve = layer.handle;
    layer.handle = (request, response, next) => {
      if (names.has(firstSegment(request.url ?? "/"))) serve(request, response, next);
      else next();
    };
  }
}

/** The target was checked to be decodable. */
function firstSegment(target: string): string {
  const [path = ""] = target.split("?", 1);
  return decodeURIComponent(/^\/+([^/]*)/.exec(path)?.[1] ?? "");
}
