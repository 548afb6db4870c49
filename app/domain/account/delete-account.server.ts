import { and, eq, sql } from "drizzle-orm";
import { countSignIns } from "#app/domain/auth/sign-in-totals.server.ts";
import { endEverything } from "#app/domain/billing/cancellation/end-everything.server.ts";
import { hasOpenCheckout } from "#app/domain/billing/checkout/checkout-rows.server.ts";
import { deleteFacts } from "#app/domain/billing/subscriptions/own-facts.server.ts";
import {
  countMoney,
  countSubscriptions,
} from "#app/domain/billing/subscriptions/subscription-totals.server.ts";
import { enqueue, enqueueOnce } from "#app/domain/jobs/enqueue.server.ts";
import { site } from "#app/domain/site/site.server.ts";
import { lockTotals } from "#app/domain/totals/daily-totals.server.ts";
import { deleteUploadsOf } from "#app/domain/uploads/own-batches.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { signinTokens, users } from "#db/schema/auth.ts";
import { customers } from "#db/schema/customers.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { videoSlots } from "#db/schema/viewing.ts";
import { IS_DUE } from "./request-deletion.server.ts";

/** "kept": the member canceled the deletion, or the account no longer exists. */
type DeletionOutcome = "deleted" | "kept" | "openPurchase";

/** Runs every hour: a job that is still waiting for the payment provider is not queued again. */
export async function deleteDueAccounts(): Promise<void> {
  const due = await db.select({ userId: users.id }).from(users).where(IS_DUE);
  for (const { userId } of due) await enqueueOnce("delete-account", { userId }, `delete-account:${userId}`);
}

/** Idempotent. Throws when the payment provider does not answer, so that the job is retried. */
export async function endAndDeleteAccount(userId: string): Promise<DeletionOutcome | "unknownToProvider"> {
  const [due] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), IS_DUE));
  if (due === undefined) return "kept";
  const ended = await endEverything(userId);
  if (ended === "unreachable")
    throw new Error("The provider has not confirmed the end of a deleted account's subscriptions");
  return ended === "unknownToProvider" ? ended : deleteAccount(userId);
}

/** An open purchase prevents the deletion, because it could still be paid. */
export async function deleteAccount(userId: string): Promise<DeletionOutcome> {
  return db.transaction(async (tx) => {
    const [due] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), IS_DUE))
      .for("update");
    if (due === undefined) return "kept";
    if (await hasOpenCheckout(tx, userId)) return "openPurchase";
    const known = await tx.select().from(customers).where(eq(customers.userId, userId));
    for (const { provider, providerCustomerId: customerId } of known) {
      await enqueue("forget-customer", { provider, customerId }, tx);
    }
    await deleteFacts(tx, userId);
    await enqueue("delete-avatars", { userId }, tx);
    await deleteUploadsOf(userId, tx);
    await countForTotals(tx, userId);
    const [gone] = await tx.delete(users).where(eq(users.id, userId)).returning({ email: users.email });
    if (gone === undefined) return "kept";
    await tx.delete(signinTokens).where(sql`lower(${signinTokens.email}) = lower(${gone.email})`);
    await tx.delete(videoSlots).where(eq(videoSlots.holderId, userId));
    await tx.delete(mailOutbox).where(sql`lower(${mailOutbox.to}) = lower(${gone.email})`);
    return "deleted";
  });
}

async function countForTotals(tx: Transaction, userId: string): Promise<void> {
  await lockTotals(tx);
  const part = { now: await readDatabaseTime(tx), timeZone: site.timeZone, userId };
  await countSignIns(tx, part);
  await countSubscriptions(tx, part);
  await countMoney(tx, part);
}
