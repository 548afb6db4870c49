import { formatZoneTime } from "#app/dates.ts";
import { ITEM_LIMITS, normalizeLines, textError } from "#app/domain/media/item-texts.ts";
import type { AuditAction } from "#app/domain/staff/audit-actions.ts";
import type { StaffRight } from "#app/domain/staff/rights.ts";
import { hasVisibleCharacter } from "#app/texts.ts";
import type { MediaState } from "../../media/media.server.ts";

export type TransitionName =
  | "publish"
  | "schedule"
  | "makeDraft"
  | "hide"
  | "show"
  | "takeDown"
  | "bringBack"
  | "delete";

interface Transition {
  from: readonly MediaState[];
  right: StaffRight;
  action: AuditAction;
  /** Completes "This item is hidden, so it cannot be …". */
  participle: string;
}

export const NOT_ALLOWED = "Your role does not allow this.";
export const NO_ITEM = "There is no such item.";
export const DELETED = "This item was deleted.";

/** Nobody, not even staff, gets the files of an item that was taken down. */
export function showsFiles({ state }: { state: MediaState }): boolean {
  return state !== "takenDown" && state !== "deleted";
}

/** A takedown may have been a mistake. */
export const DAYS_BEFORE_DELETION = 30;

export function reasonProblem(text: string): string | null {
  const reason = normalizeLines(text);
  if (!hasVisibleCharacter(reason)) return "A takedown needs a reason.";
  return textError("The reason", reason, ITEM_LIMITS.reason);
}

export const TRANSITIONS: Record<TransitionName, Transition> = {
  publish: {
    from: ["draft", "scheduled"],
    right: "media.publish",
    action: "media.published",
    participle: "published",
  },
  schedule: {
    from: ["draft", "scheduled"],
    right: "media.publish",
    action: "media.scheduled",
    participle: "scheduled",
  },
  show: { from: ["hidden"], right: "media.publish", action: "media.shown", participle: "shown again" },
  hide: {
    from: ["scheduled", "published"],
    right: "media.publish",
    action: "media.hidden",
    participle: "hidden",
  },
  makeDraft: {
    from: ["scheduled", "published", "hidden"],
    right: "media.publish",
    action: "media.madeDraft",
    participle: "made a draft",
  },
  takeDown: {
    from: ["draft", "scheduled", "published", "hidden"],
    right: "media.publish",
    action: "media.takenDown",
    participle: "taken down",
  },
  bringBack: {
    from: ["takenDown"],
    right: "media.publish",
    action: "media.broughtBack",
    participle: "brought back",
  },
  delete: {
    from: ["draft", "takenDown"],
    right: "site",
    action: "media.deleted",
    participle: "deleted",
  },
};

/** Completes "This item is …". */
export const STATE_WORDS: Record<MediaState, string> = {
  draft: "a draft",
  scheduled: "scheduled",
  published: "published",
  hidden: "hidden",
  takenDown: "taken down",
  deleted: "deleted",
};

export const MEDIA_STATES = Object.keys(STATE_WORDS) as MediaState[];

/** For an item that is not public: "Draft", "Scheduled for Friday, 4 December 2026, 18:00 (UTC)", "Expired". */
export function stateLabel(
  { state, publishAt }: { state: MediaState; publishAt: Date | null },
  zone: string,
): string {
  if (state === "published") return "Expired";
  if (state !== "scheduled") return LABELS[state];
  return publishAt === null ? "Scheduled" : `Scheduled for ${formatZoneTime(publishAt, zone)}`;
}

const LABELS = { draft: "Draft", hidden: "Hidden", takenDown: "Taken down", deleted: "Deleted" };
