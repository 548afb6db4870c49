import { log } from "#app/log.server.ts";
import { hasTick, readIntent } from "./form-body.server.ts";

/** Returns the log entry's id. `why` is a fixed word, never user input; `reason` tells the host what to fix. */
export function logRefusal(request: Request, why: string, reason?: string): string {
  const requestId = request.headers.get("x-request-id") ?? "";
  if (reason) log.warn({ requestId, why, reason }, "form refused");
  else log.info({ requestId, why }, "form refused");
  return requestId;
}

/** If a proxy adds fields, nobody can sign in. A name may be what a visitor wrote, so the log has only the number of fields. */
export function logUnknownFields(
  request: Request,
  form: string,
  { unknownFields }: { unknownFields: number },
): string | undefined {
  return unknownFields > 0 ? logRefusal(request, `${form}: unknown fields (${unknownFields})`) : undefined;
}

type DecisionRefusal = "incomplete" | "unticked";

/** Null when the form may act. Programs that check email press buttons, but tick no box: decision 140. */
export function refuseDecision(
  form: FormData,
  intent: "cancel" | "withdraw" | "keep",
  { isMailed }: { isMailed: boolean },
): DecisionRefusal | null {
  if (readIntent(form, [intent]) === null) return "incomplete";
  return isMailed && !hasTick(form) ? "unticked" : null;
}
