import { OVERDUE_STATUSES, SUBSCRIBING_STATUSES, type SubscriptionStatus } from "./subscription-status.ts";

/** The only access rule, for pages, media files and feeds. */
export type Right = "see" | "preview" | "view" | "download";
export type Access = "free" | "member" | "subscriber";
export type Role = "member" | "editor" | "publisher" | "records" | "owner";

export interface AccessViewer {
  isAdult: boolean;
  user: { role: Role } | null;
  /** `isCurrent`: by the database's clock, the paid period or the grace days after a failed payment have not ended. */
  subscription: { status: SubscriptionStatus; isCurrent: boolean } | null;
}

export interface AccessMedia {
  access: Access;
  allowDownload: boolean;
  isLive: boolean;
  isWithdrawn: boolean;
}

/** "gone" is withdrawn (410), "hidden" does not exist for this viewer (404). */
export type Refusal =
  | "gate"
  | "gone"
  | "hidden"
  | "signedOut"
  | "noSubscription"
  | "paymentFailed"
  | "noDownload";
export type Decision = { allowed: true } | { allowed: false; reason: Refusal };

const ALLOWED: Decision = { allowed: true };

export function accessTo(viewer: AccessViewer, media: AccessMedia, right: Right): Decision {
  if (!viewer.isAdult) return refused("gate");
  const maySeeAll = isStaff(viewer);
  if (media.isWithdrawn && !maySeeAll) return refused("gone");
  if (!media.isLive && !maySeeAll) return refused("hidden");
  if (right === "see" || right === "preview") return ALLOWED;

  const mayView: Decision = maySeeAll ? ALLOWED : viewDecision(viewer, media.access);
  if (!mayView.allowed || right === "view") return mayView;
  return media.allowDownload ? ALLOWED : refused("noDownload");
}

export function isStaff({ user }: Pick<AccessViewer, "user">): boolean {
  return user !== null && user.role !== "member";
}

export function isSubscribed(viewer: Pick<AccessViewer, "user" | "subscription">): boolean {
  if (viewer.user === null || viewer.subscription === null) return false;
  const { status, isCurrent } = viewer.subscription;
  return isCurrent && SUBSCRIBING_STATUSES.includes(status);
}

function viewDecision(viewer: AccessViewer, access: Access): Decision {
  if (access === "free") return ALLOWED;
  if (viewer.user === null) return refused("signedOut");
  if (access === "member" || isSubscribed(viewer)) return ALLOWED;
  return refused(isPaymentOverdue(viewer) ? "paymentFailed" : "noSubscription");
}

function isPaymentOverdue({ subscription }: AccessViewer): boolean {
  return subscription !== null && OVERDUE_STATUSES.includes(subscription.status);
}

function refused(reason: Refusal): Decision {
  return { allowed: false, reason };
}
