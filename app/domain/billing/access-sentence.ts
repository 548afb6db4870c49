import { type AccessViewer, accessTo } from "./access.ts";
import { subscriptionSentence } from "./subscription-sentence.ts";

type Subscription = NonNullable<Parameters<typeof subscriptionSentence>[0]>;

/** What the whole of a subscription opens. */
const FOR_SUBSCRIBERS = {
  access: "subscriber",
  allowDownload: false,
  isLive: true,
  isWithdrawn: false,
} as const;

/** Why a member has access to what is for subscribers, or has not, by the rule that decides it. */
export function accessSentence(
  viewer: AccessViewer & { subscription: Subscription | null },
  now = new Date(),
): string {
  if (viewer.user !== null && viewer.user.role !== "member") {
    return "You have access to everything, because you work here.";
  }
  const { allowed } = accessTo(viewer, FOR_SUBSCRIBERS, "view");
  const why = subscriptionSentence(viewer.subscription, now);
  const verdict = allowed ? "You have access to everything" : "You have no access to what is for subscribers";
  return `${verdict}, because ${why.charAt(0).toLowerCase()}${why.slice(1)}`;
}
