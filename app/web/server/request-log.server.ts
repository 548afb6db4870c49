import type { IncomingMessage, ServerResponse } from "node:http";
import { log, withoutValues } from "#app/log.server.ts";
import { countRequest } from "../metrics/process-metrics.server.ts";
import { METHODS } from "./refusal.server.ts";
import { routePattern } from "./route-pattern.ts";

const ASSETS = "/assets/$";
const FRAME = /^\s+at /;

/** Never logs user input. */
export function logRequest(requestId: string, request: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now();
  const { method = "" } = request;
  const path = routePattern(request.url?.split("?", 1)[0] ?? "/");
  response.once("close", () => {
    const ms = performance.now() - startedAt;
    // An aborted request may have no status.
    const status = response.headersSent ? response.statusCode : null;
    countRequest({ route: path, method: METHODS.has(method) ? method : "other", status, ms });
    if (path !== ASSETS) log.info({ requestId, method, path, status, ms: Math.round(ms) }, "request");
  });
}

/** Without the text of a message, which may quote a request. */
export function logLibraryOutput(): void {
  console.error = (...printed) => {
    // remix-serve calls this whenever its server closes.
    if (printed.length > 0) log.error(factsOf(printed), "a library reported an error");
  };
  console.warn = (...printed) => log.warn(factsOf(printed), "a library gave a warning");
}

function factsOf(printed: unknown[]): Record<string, unknown> {
  const error = printed.find((one) => one instanceof Error);
  if (error) {
    const { message: _, ...rest } = withoutValues(error);
    return rest;
  }
  // Express prints the stack as text.
  const [text = ""] = printed.filter((one) => typeof one === "string");
  const type = /^(?:Uncaught )?([A-Z]\w*Error)\b/.exec(text)?.[1] ?? null;
  const frames = text.split("\n").filter((line) => FRAME.test(line));
  const own = new Error().stack
    ?.split("\n")
    .filter((line) => FRAME.test(line))
    .slice(2);
  return { type, at: frames.length > 0 ? frames : own };
}
