import { field, readIntent } from "./form-body.server.ts";

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
