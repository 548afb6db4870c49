import { and, eq, isNull, notInArray, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/billing.ts";
import { GIVEN } from "./given.server.ts";
import { ENDED_STATUSES } from "./owner.server.ts";

/** Notes at what was sold by a provider that this site had before that the present one does not know it. */
export async function markFormer(present: string, { userId }: { userId?: string } = {}): Promise<void> {
  await db
    .update(subscriptions)
    .set({ unknownSince: sql`now()` })
    .where(
      and(
        notInArray(subscriptions.provider, [present, GIVEN]),
        notInArray(subscriptions.status, ENDED_STATUSES),
        isNull(subscriptions.unknownSince),
        userId === undefined ? undefined : eq(subscriptions.userId, userId),
      ),
    );
}
