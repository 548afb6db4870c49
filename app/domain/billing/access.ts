/** The one rule of who may do what. Pages, bytes and feeds ask nothing else. */
export type Right = "see" | "preview" | "view" | "download";
export type Access = "free" | "member" | "subscriber";
export type Role = "member" | "editor" | "publisher" | "records" | "owner";
export type SubscriptionStatus =
  | "trialing"
  | "active"
  | "incomplete"
  | "incomplete_expired"
  | "past_due"
  | "unpaid"
  | "paused"
  | "canceled";

export interface AccessViewer {
  /** Whether the age gate was passed. */
  isAdult: boolean;
  user: { role: Role } | null;
  /** `isCurrent`: by the database's clock, what was paid for has not run out, or a failed payment may still be mended. */
  subscription: { status: SubscriptionStatus; isCurrent: boolean } | null;
}

export interface AccessMedia {
  access: Access;
  allowDownload: boolean;
  /** Published and inside its dates, by the database's clock. */
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
  const isStaff = viewer.user !== null && viewer.user.role !== "member";
  if (media.isWithdrawn && !isStaff) return refused("gone");
  if (!media.isLive && !isStaff) return refused("hidden");
  if (right === "see" || right === "preview") return ALLOWED;

  const mayView: Decision = isStaff ? ALLOWED : viewDecision(viewer, media.access);
  if (!mayView.allowed || right === "view") return mayView;
  return media.allowDownload ? ALLOWED : refused("noDownload");
}

export function isSubscribed(viewer: Pick<AccessViewer, "user" | "subscription">): boolean {
  if (viewer.user === null || viewer.subscription === null) return false;
  const { status, isCurrent } = viewer.subscription;
  return isCurrent && (status === "trialing" || status === "active" || status === "past_due");
}

function viewDecision(viewer: AccessViewer, access: Access): Decision {
  if (access === "free") return ALLOWED;
  if (viewer.user === null) return refused("signedOut");
  if (access === "member" || isSubscribed(viewer)) return ALLOWED;
  return refused(isPaymentOverdue(viewer) ? "paymentFailed" : "noSubscription");
}

function isPaymentOverdue({ subscription }: AccessViewer): boolean {
  return subscription?.status === "past_due" || subscription?.status === "unpaid";
}

function refused(reason: Refusal): Decision {
  return { allowed: false, reason };
}
