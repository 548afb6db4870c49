import { and, eq } from "drizzle-orm";
import { subscriptions } from "#db/schema/billing.ts";

export interface OwnSubscription {
  id: string;
  userId: string;
}

export function isRowOf({ id, userId }: OwnSubscription) {
  return and(eq(subscriptions.id, id), eq(subscriptions.userId, userId));
}
