import { log } from "./log.server.ts";

/**
 * The id by which the log knows why a form was refused, for the page to show. `why` is a word of ours, never what was typed;
 * `reason` is a sentence of ours to the host, for what the host can mend.
 */
export function noteRefusal(request: Request, why: string, reason?: string): string {
  const requestId = request.headers.get("x-request-id") ?? "";
  if (reason) log.warn({ requestId, why, reason }, "form refused");
  else log.info({ requestId, why }, "form refused");
  return requestId;
}
