import { formatZoneTime, fromZoneTime } from "#app/dates.ts";
import { makeDraftLink, revokeDraftLink } from "#app/domain/catalog/edit/states/draft-links.server.ts";
import {
  STATE_WORDS,
  TRANSITIONS,
  type TransitionName,
} from "#app/domain/catalog/edit/states/media-states.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { paths } from "#app/paths.ts";
import { siteFacts } from "../pages/site-facts.server.ts";
import { field, hasTick, readIntent } from "./form-body.server.ts";
import type { SentForm } from "./item-upload.server.ts";
import { shownZone } from "./shown-zone.server.ts";

export interface OverviewAnswer {
  intent: (typeof INTENTS)[number];
  publishAt: string;
  timeZone: string;
  reason: string;
  isTicked: boolean;
  error: string | null;
  /** The error is about the tick. */
  isUnticked: boolean;
  /** Shown once. */
  madeLink: { url: string; expires: string } | null;
}

const INTENTS = [...(Object.keys(TRANSITIONS) as TransitionName[]), "makeLink", "revokeLink"] as const;

export const LINK_REVOKED = "The draft link is revoked. It no longer works.";

/** The state of an item, and the links to a draft. */
export const overviewPart = {
  async repeat({ form }: SentForm): Promise<OverviewAnswer | null> {
    const intent = readIntent(form, INTENTS);
    if (intent === null) return null;
    const [publishAt, reason] = [field(form, "publishAt"), field(form, "reason")];
    const typed = { intent, publishAt, timeZone: shownZone(form), reason, isTicked: hasTick(form) };
    return { ...typed, error: null, isUnticked: false, madeLink: null };
  },

  async answer(sent: SentForm) {
    const typed = await overviewPart.repeat(sent);
    if (typed === null) return null;
    const { actor, id, form } = sent;
    switch (typed.intent) {
      case "makeLink": {
        const link = await makeDraftLink(actor, id);
        if (link === null) return { error: "Only a draft can have a draft link." };
        const url = siteFacts.origin + paths.draft(link.token);
        const madeLink = { url, expires: formatZoneTime(link.expiresAt, siteFacts.timeZone) };
        return { status: 200, answer: { ...typed, madeLink } };
      }
      case "revokeLink":
        if (await revokeDraftLink(actor, id, field(form, "link"))) return { saved: LINK_REVOKED };
        return { error: "This draft link has already ended." };
      default:
        return change(sent, typed, typed.intent);
    }
  },
};

async function change({ actor, id }: SentForm, typed: OverviewAnswer, name: TransitionName) {
  const { isTicked, reason } = typed;
  if (name === "delete" && !isTicked) {
    return refuse(typed, "Please tick the box to confirm the deletion.", true);
  }
  const publishAt = name === "schedule" ? fromZoneTime(typed.publishAt, typed.timeZone) : undefined;
  if (publishAt === null) return refuse(typed, "Please choose a date and a time.");
  const result = await changeState(actor, id, name, {
    ...(publishAt && { publishAt }),
    ...(name === "takeDown" && { reason }),
    onlyComplete: !isTicked,
  });
  if (!result.done) return refuse(typed, result.problem, result.missing !== undefined);
  const { state } = result;
  if (state === "deleted") return { saved: "The item is deleted.", page: paths.studioMedia() };
  if (publishAt) return { saved: `It is scheduled for ${formatZoneTime(publishAt, siteFacts.timeZone)}.` };
  const isBack = name === "show" || name === "bringBack" || name === "makeDraft";
  return { saved: `It is ${STATE_WORDS[state]}${isBack ? " again" : ""}.` };
}

function refuse(typed: OverviewAnswer, error: string, isUnticked = false) {
  return { status: 422, answer: { ...typed, error, isUnticked } };
}
