import { log } from "./log.server.ts";

/** The id by which the log knows why a form was refused, for the page to show. `why` is a word of ours, never what was typed. */
export function noteRefusal(request: Request, why: string): string {
  const requestId = request.headers.get("x-request-id") ?? "";
  log.info({ requestId, why }, "form refused");
  return requestId;
}
