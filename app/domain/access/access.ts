import { hasRight, type Role } from "../staff/rights.ts";
import { ACCESS_KINDS, type StateKind } from "./subscription-state.ts";

/** Half of the ten seconds for which bytes may outlive their access. A running video is checked again after it. */
export const ACCESS_MAX_AGE_MS = 5_000;
/** A segment is sent within seconds of its decision, and a player requests one every four. */
export const SEGMENT_ACCESS_MAX_AGE_MS = 10_000;

/** `preview`: a photo that the set shows to everybody. `edit`: photos that are left out, and pictures for a cover. */
export type Right = "see" | "preview" | "view" | "download" | "edit";
export const ACCESSES = ["free", "member", "subscriber"] as const;
export type Access = (typeof ACCESSES)[number];
/** Nothing is given away by an oversight. */
export const DEFAULT_ACCESS: Access = "subscriber";

export interface AccessViewer {
  isAdult: boolean;
  user: { role: Role } | null;
  subscription: { state: StateKind } | null;
}

export interface AccessMedia {
  access: Access;
  allowDownload: boolean;
  isLive: boolean;
  isTakenDown: boolean;
  /** A link to this draft shows it as to a subscriber. */
  isOpenByDraftLink?: boolean;
}

/** "gone": taken down (410). "hidden": must look as if it did not exist (404). The others are 403. */
export type AccessRefusal = "gate" | "gone" | "hidden" | "signedOut" | "noRight";
export type Decision = { allowed: true } | { allowed: false; reason: AccessRefusal };

const ALLOWED: Decision = { allowed: true };

/** The only rule about who may see what, for pages and for files. */
export function accessTo(viewer: AccessViewer, media: AccessMedia, right: Right): Decision {
  if (!viewer.isAdult) return refused("gate");
  if (media.isTakenDown) return refused("gone");
  const isPrivileged = hasRight(viewer, "media.seeAll") || media.isOpenByDraftLink === true;
  if (!media.isLive && !isPrivileged) return refused("hidden");
  if (right === "edit") return hasRight(viewer, "media.edit") ? ALLOWED : refused("hidden");
  if (right === "see" || right === "preview") return ALLOWED;

  const toView = isPrivileged ? ALLOWED : viewDecision(viewer, media.access);
  if (!toView.allowed || right === "view") return toView;
  return media.allowDownload ? ALLOWED : refused("noRight");
}

export function isSubscribed(viewer: Pick<AccessViewer, "user" | "subscription">): boolean {
  return (
    viewer.user !== null && viewer.subscription !== null && ACCESS_KINDS.includes(viewer.subscription.state)
  );
}

function viewDecision(viewer: AccessViewer, access: Access): Decision {
  if (access === "free") return ALLOWED;
  if (viewer.user === null) return refused("signedOut");
  if (access === "member" || isSubscribed(viewer)) return ALLOWED;
  return refused("noRight");
}

function refused(reason: AccessRefusal): Decision {
  return { allowed: false, reason };
}
