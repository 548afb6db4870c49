import { eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/billing.ts";
import { mailAboutSubscription } from "../mails/billing-mails.server.ts";
import type { SubscriptionApi } from "../providers/contract/provider.ts";

/** Demo subscriptions change only in our rows. */
export const demoSubscriptionApi: Pick<SubscriptionApi, "endAtPeriodEnd" | "endNow" | "keep" | "resume"> = {
  endAtPeriodEnd: (id) => write(id, { cancelAtPeriodEnd: true, canceledAt: sql`now()` }),
  keep: (id) => write(id, { cancelAtPeriodEnd: false, canceledAt: null }),
  resume: (id) => write(id, { status: "active" }),
  endNow: (id) => write(id, { status: "canceled", canceledAt: sql`now()`, endedAt: sql`now()` }),
};

async function write(
  id: string,
  change: Parameters<ReturnType<typeof db.update<typeof subscriptions>>["set"]>[0],
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = eq(subscriptions.id, id);
    const [before] = await tx.select().from(subscriptions).where(row).for("update");
    if (before === undefined || before.status === "canceled") return;
    if (before.cancelAtPeriodEnd === change.cancelAtPeriodEnd) return;
    const [after] = await tx.update(subscriptions).set(change).where(row).returning();
    if (after !== undefined) await mailAboutSubscription(tx, { before, after });
  });
}
