import type { ServerResponse } from "node:http";
import { isOutage, RETRY_AFTER_SECONDS } from "#app/domain/health/outage.ts";

/** Ids of requests that the database's absence spoiled. On the process: a reload in development copies modules. */
declare global {
  var peonyOutages: Set<string> | undefined;
}

function outages(): Set<string> {
  globalThis.peonyOutages ??= new Set();
  return globalThis.peonyOutages;
}

/** Whether `error` means that the database is away or overloaded; then this request is answered with a 503. */
export function noteOutage(request: Request, error: unknown): boolean {
  if (!isOutage(error)) return false;
  const requestId = request.headers.get("x-request-id");
  if (requestId !== null) outages().add(requestId);
  return true;
}

/** For the page's words: what its boundary gets instead of the error. */
export function outageResponseOf(request: Request) {
  const errorId = request.headers.get("x-request-id");
  if (errorId === null || !outages().has(errorId)) return null;
  const data = { retryAfterSeconds: RETRY_AFTER_SECONDS, errorId };
  return { status: 503, statusText: "Service Unavailable", internal: false, data };
}

/** Remix answers whatever a handler throws with a 500, pages, data and files alike; this is the one place for all. */
export function answerOutages(requestId: string, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    if (!outages().delete(requestId)) return writeHead(status, ...rest);
    response.setHeader("Retry-After", String(RETRY_AFTER_SECONDS));
    return writeHead(503, "Service Unavailable", ...rest.filter((part) => typeof part === "object"));
  }) as typeof response.writeHead;
  response.once("close", () => outages().delete(requestId));
}
