import { and, eq } from "drizzle-orm";
import { subscriptions } from "#db/schema/billing.ts";

/** A subscription, and whose it must be for anything to be shown or done. */
export interface Held {
  id: string;
  userId: string;
}

/** The row of it; none when it is not theirs. */
export function isRowOf({ id, userId }: Held) {
  return and(eq(subscriptions.id, id), eq(subscriptions.userId, userId));
}
