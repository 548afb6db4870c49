import { log } from "#app/log.server.ts";
import { field, readIntent } from "./form-body.server.ts";

/** Returns the log entry's id. `why` is a fixed word, never user input; `reason` tells the host what to fix. */
export function logRefusal(request: Request, why: string, reason?: string): string {
  const requestId = request.headers.get("x-request-id") ?? "";
  if (reason) log.warn({ requestId, why, reason }, "form refused");
  else log.info({ requestId, why }, "form refused");
  return requestId;
}

/**
 * The host hears of added fields, because nobody behind a proxy that adds one can get in. Their names could be a visitor's
 * own, so the log has their number. Returns its id.
 */
export function logUnknownFields(
  request: Request,
  form: string,
  { unknownFields }: { unknownFields: number },
): string | undefined {
  return unknownFields > 0 ? logRefusal(request, `${form}: unknown fields (${unknownFields})`) : undefined;
}

type DecisionRefusal = "incomplete" | "unticked";

/** Null when the form may act. Programs that check mails press buttons, but tick no box: decision 140. */
export function refuseDecision(
  form: FormData,
  intent: "cancel" | "withdraw" | "keep",
  { isMailed }: { isMailed: boolean },
): DecisionRefusal | null {
  if (readIntent(form, [intent]) === null) return "incomplete";
  return isMailed && field(form, "confirm") !== "yes" ? "unticked" : null;
}
