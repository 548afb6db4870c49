import { z } from "zod";
import { EXAMPLE_TIMES, formatClockTime, parseClockTime } from "#app/clock-times.ts";
import {
  removeTrailer,
  saveTrailer,
  type TrailerResult,
} from "#app/domain/catalog/edit/files/trailer.server.ts";
import type { TrailerRange } from "#app/domain/catalog/edit/files/trailer-range.ts";
import { field, jsonField, readIntent } from "./form-body.server.ts";
import type { SentForm } from "./item-upload.server.ts";

export interface TrailerAnswer {
  opened: TrailerRange | null;
  typed: { from: string; to: string };
  errors: Partial<Record<keyof TrailerRange | "form", string>>;
  isConflict: boolean;
}

const NO_TIME = `Please type a time such as ${EXAMPLE_TIMES}.`;
const opened = z.strictObject({ from: z.number(), to: z.number() }).nullable();

export const trailerPart = {
  async answer(sent: SentForm) {
    const typed = typedIn(sent);
    if (typed === null) return null;
    const outcome = await change(sent, typed);
    if (typeof outcome === "string") return { saved: outcome };
    return { status: outcome.isConflict ? 409 : 422, answer: outcome };
  },
  repeat: async (sent: SentForm) => typedIn(sent),
};

async function change(sent: SentForm, answer: TrailerAnswer): Promise<string | TrailerAnswer> {
  const isRemoving = readIntent(sent.form, ["remove"]) !== null;
  const [from, to] = [parseClockTime(answer.typed.from), parseClockTime(answer.typed.to)];
  let result: TrailerResult;
  if (isRemoving) result = await removeTrailer(sent.actor, sent.id, answer.opened);
  else if (from === null || to === null) {
    const errors = { ...(from === null ? { from: NO_TIME } : {}), ...(to === null ? { to: NO_TIME } : {}) };
    return { ...answer, errors };
  } else result = await saveTrailer(sent.actor, sent.id, { from, to }, answer.opened);
  if (result.saved) return isRemoving ? "The trailer is removed." : "The trailer is being made.";
  if ("errors" in result) return { ...answer, errors: result.errors };
  const again = isRemoving ? "to remove it anyway" : "to use yours instead";
  const form = `${changed(result.conflict)} Press the button again ${again}.`;
  return { ...answer, opened: result.conflict, errors: { form }, isConflict: true };
}

function typedIn({ form }: SentForm): TrailerAnswer | null {
  const range = opened.safeParse(jsonField(form, "opened"));
  if (readIntent(form, ["save", "remove"]) === null || !range.success) return null;
  const typed = { from: field(form, "from"), to: field(form, "to") };
  return { opened: range.data, typed, errors: {}, isConflict: false };
}

function changed(range: TrailerRange | null): string {
  if (range === null) return "Somebody else has removed the trailer.";
  const [from, to] = [formatClockTime(range.from), formatClockTime(range.to)];
  return `Somebody else has chosen ${from} to ${to}.`;
}
