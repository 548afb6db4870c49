import { fromZoneTime } from "#app/dates.ts";
import { TRANSITIONS, type TransitionName } from "#app/domain/catalog/edit/media-states.ts";
import { changeState, type TransitionDetails } from "#app/domain/catalog/edit/transitions.server.ts";
import type { Actor } from "#app/domain/staff/actor.ts";
import { field, readIntent } from "./form-body.server.ts";

/** A change of the state that was refused, with what was typed. */
export interface TransitionAnswer {
  section: "state";
  transition: TransitionName;
  problem: string;
  publishAt: string;
  reason: string;
}

export type TransitionOutcome = { done: TransitionName } | "incomplete" | TransitionAnswer;

const NAMES = Object.keys(TRANSITIONS) as TransitionName[];

export async function answerTransition(
  actor: Actor,
  id: string,
  form: FormData,
  zone: string,
): Promise<TransitionOutcome> {
  const transition = readIntent(form, NAMES);
  if (transition === null) return "incomplete";
  const details = detailsIn(form, transition, zone);
  const result =
    typeof details === "string"
      ? { done: false as const, problem: details }
      : await changeState(actor, id, transition, details);
  if (result.done) return { done: transition };
  const typed = { publishAt: field(form, "publishAt"), reason: field(form, "reason") };
  return { section: "state", transition, problem: result.problem, ...typed };
}

/** The input of the transition besides the item, or a sentence about a field that is missing. */
function detailsIn(form: FormData, name: TransitionName, zone: string): TransitionDetails | string {
  if (name === "schedule") {
    const publishAt = fromZoneTime(field(form, "publishAt"), zone);
    return publishAt === null ? "Please choose a date and a time." : { publishAt };
  }
  if (name === "delete" && field(form, "confirm") !== "yes") {
    return "Please tick the box if it should really be deleted.";
  }
  return name === "takeDown" ? { reason: field(form, "reason") } : {};
}
