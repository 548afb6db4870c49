import { fromZoneTime } from "#app/dates.ts";
import { TRANSITIONS, type TransitionName } from "#app/domain/catalog/edit/states/media-states.ts";
import { changeState, type TransitionDetails } from "#app/domain/catalog/edit/states/transitions.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { field, hasTick, readIntent } from "./form-body.server.ts";
import { shownZone } from "./section-form.server.ts";

export interface TransitionAnswer {
  section: "publication";
  transition: TransitionName;
  /** Null when the sign-in was too old. */
  error: string | null;
  publishAt: string;
  timeZone: string;
  reason: string;
  isTicked: boolean;
  /** The error is about the tick. */
  isUnconfirmed: boolean;
}

export type TransitionOutcome = { done: TransitionName } | "incomplete" | TransitionAnswer;

const NAMES = Object.keys(TRANSITIONS) as TransitionName[];

export async function answerTransition(actor: Actor, id: string, form: FormData): Promise<TransitionOutcome> {
  const transition = readIntent(form, NAMES);
  if (transition === null) return "incomplete";
  const details = detailsIn(form, transition);
  if (typeof details === "string") return answerOf(form, transition, details, transition === "delete");
  const result = await changeState(actor, id, transition, details);
  return result.done
    ? { done: transition }
    : answerOf(form, transition, result.problem, result.missing !== undefined);
}

export function repeatTransition(form: FormData): TransitionAnswer | null {
  const transition = readIntent(form, NAMES);
  return transition && answerOf(form, transition, null);
}

function answerOf(
  form: FormData,
  transition: TransitionName,
  error: string | null,
  isUnconfirmed = false,
): TransitionAnswer {
  return {
    section: "publication",
    transition,
    error,
    publishAt: field(form, "publishAt"),
    timeZone: shownZone(form),
    reason: field(form, "reason"),
    isTicked: hasTick(form),
    isUnconfirmed,
  };
}

/** Returns a sentence about a missing field. */
function detailsIn(form: FormData, name: TransitionName): TransitionDetails | string {
  const onlyComplete = !hasTick(form);
  if (name === "publish") return { onlyComplete };
  if (name === "schedule") {
    const publishAt = fromZoneTime(field(form, "publishAt"), shownZone(form));
    return publishAt === null ? "Please choose a date and a time." : { publishAt, onlyComplete };
  }
  if (name === "delete" && !hasTick(form)) return "Please tick the box to confirm the deletion.";
  return name === "takeDown" ? { reason: field(form, "reason") } : {};
}
