// Needed because Remix answers every thrown error, even an outage, with status 500: decision 035.

import type { ServerResponse } from "node:http";
import { decode, encode } from "turbo-stream";
import { isOutage } from "#app/domain/health/outage.server.ts";
import { contextOf, type RequestContext } from "#app/web/request/request-context.server.ts";
import { RETRY_AFTER_SECONDS, retryAfter } from "#app/web/request/retry-after.ts";

export function recordOutage(request: Request, error: unknown): boolean {
  if (!isOutage(error)) return false;
  const context = contextOf(request);
  if (context) context.failedInOutage = true;
  return true;
}

export function outageResponseOf(request: Request) {
  const context = contextOf(request);
  if (!context?.failedInOutage) return null;
  const data = { retryAfterSeconds: RETRY_AFTER_SECONDS.busy, errorId: context.requestId };
  return { status: 503, statusText: "Service Unavailable", internal: false, data };
}

/** For client navigations, where Remix replaces every thrown error with "Unexpected Server Error". */
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

export function answerOutages(context: RequestContext): void {
  const { response } = context;
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = ((status: number, ...rest: unknown[]) => {
    if (!context.failedInOutage) return writeHead(status, ...rest);
    response.setHeaders(new Headers(retryAfter(RETRY_AFTER_SECONDS.busy)));
    return writeHead(503, "Service Unavailable", ...rest.filter((part) => typeof part === "object"));
  }) as typeof response.writeHead;
}

/** A value of Remix's own plugins: its name, then its parts. */
class Named {
  constructor(readonly parts: [string, ...unknown[]]) {}
}
