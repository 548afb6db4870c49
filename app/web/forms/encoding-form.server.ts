import { changeEncoding, ENCODING_CHANGES } from "#app/domain/catalog/encoding/change-encoding.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { readIntent } from "./form-body.server.ts";

/** Null when it is done, "incomplete" for a form without one of its buttons, or a sentence for the page. */
export async function answerEncoding(actor: Actor, id: string, form: FormData): Promise<string | null> {
  const change = readIntent(form, ENCODING_CHANGES);
  return change === null ? "incomplete" : changeEncoding(actor, id, change);
}
