import type { ServerResponse } from "node:http";
import { decode, encode } from "turbo-stream";
import { isOutage, RETRY_AFTER_SECONDS } from "#app/domain/health/outage.ts";

/** Ids of requests that failed in a database outage. Global, because a development reload copies modules. */
declare global {
  var peonyOutages: Set<string> | undefined;
}

function outages(): Set<string> {
  globalThis.peonyOutages ??= new Set();
  return globalThis.peonyOutages;
}

export function noteOutage(request: Request, error: unknown): boolean {
  if (!isOutage(error)) return false;
  const requestId = request.headers.get("x-request-id");
  if (requestId !== null) outages().add(requestId);
  return true;
}

export function outageResponseOf(request: Request) {
  const errorId = request.headers.get("x-request-id");
  if (errorId === null || !outages().has(errorId)) return null;
  const data = { retryAfterSeconds: RETRY_AFTER_SECONDS, errorId };
  return { status: 503, statusText: "Service Unavailable", internal: false, data };
}

/** For client navigations. Remix replaces every thrown error with "Unexpected Server Error", as it does in a page. */
export async function withOutage(request: Request, response: Response): Promise<Response> {
  const outage = outageResponseOf(request);
  if (outage === null || response.body === null) return response;
  const instead = new Named(["ErrorResponse", outage.data, outage.status, outage.statusText]);
  const { value, done } = await decode(response.body, {
    plugins: [
      (name, ...parts) => ({ value: name === "SanitizedError" ? instead : new Named([name, ...parts]) }),
    ],
  });
  await done;
  const body = encode(value, { plugins: [(part) => part instanceof Named && part.parts] });
  return new Response(body, { status: outage.status, headers: response.headers });
}

/** Remix answers every thrown error with a 500. This makes it a 503 for pages, data and files alike. */
export function answerOutages(requestId: string, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    if (!outages().delete(requestId)) return writeHead(status, ...rest);
    response.setHeader("Retry-After", String(RETRY_AFTER_SECONDS));
    return writeHead(503, "Service Unavailable", ...rest.filter((part) => typeof part === "object"));
  }) as typeof response.writeHead;
  response.once("close", () => outages().delete(requestId));
}

/** A value that Remix encodes by its own plugins: its name, then its parts. */
class Named {
  constructor(readonly parts: [string, ...unknown[]]) {}
}
