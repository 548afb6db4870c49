import { log } from "#app/log.server.ts";

/** Returns the log entry's id. `why` is a fixed word, never user input; `reason` tells the host what to fix. */
export function noteRefusal(request: Request, why: string, reason?: string): string {
  const requestId = request.headers.get("x-request-id") ?? "";
  if (reason) log.warn({ requestId, why, reason }, "form refused");
  else log.info({ requestId, why }, "form refused");
  return requestId;
}
