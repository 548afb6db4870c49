import { createHmac } from "node:crypto";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { db, type Executor } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { checkouts, trials } from "#db/schema/billing.ts";
import type { Memberships, SubscriptionSnapshot } from "./providers/provider.ts";
import { mailboxOf } from "./trial-address.ts";

/** Whether a person has had a free trial: by the address, however it is spelled, or as this user. */
export async function hasHadTrial(userId: string, email: string, executor: Executor = db): Promise<boolean> {
  const [row] = await executor.execute<{ has: boolean }>(sql`SELECT
    EXISTS (SELECT FROM trials WHERE address_hash = ${keyed("address", mailboxOf(email))})
    OR EXISTS (SELECT FROM subscriptions WHERE user_id = ${userId} AND trial_start IS NOT NULL)
    OR EXISTS (SELECT FROM checkouts
      WHERE user_id = ${userId} AND trial_days IS NOT NULL AND status = 'completed') AS has`);
  return row?.has ?? false;
}

/**
 * Remembers a trial that was bought here. One by somebody, or with a card, that has had one is ended at the provider, at
 * once and without a charge. Returns the subscription as it stands then; throws ProviderUnreachable.
 */
export async function endSecondTrial(
  provider: Memberships,
  subscription: SubscriptionSnapshot,
): Promise<SubscriptionSnapshot> {
  if (!(await isSecondTrial(subscription))) return subscription;
  await provider.endNow(subscription.id);
  return (await provider.readSubscription(subscription.id)) ?? subscription;
}

async function isSecondTrial(subscription: SubscriptionSnapshot): Promise<boolean> {
  const checkoutId = z.uuid().safeParse(subscription.checkoutId);
  if (subscription.status !== "trialing" || !checkoutId.success) return false;
  const [buyer] = await db
    .select({ email: users.email })
    .from(checkouts)
    .innerJoin(users, eq(users.id, checkouts.userId))
    .where(and(eq(checkouts.id, checkoutId.data), isNotNull(checkouts.trialDays)));
  // What the host gave away by hand is the host's business.
  return buyer !== undefined && !(await isFirstTrial(subscription, buyer.email));
}

/** Takes address and card for this subscription; the table's unique columns let only one have them. */
async function isFirstTrial(
  { id: subscriptionId, fingerprint }: Pick<SubscriptionSnapshot, "id" | "fingerprint">,
  email: string,
): Promise<boolean> {
  const addressHash = keyed("address", mailboxOf(email));
  const cardHash = fingerprint === null ? null : keyed("card", fingerprint);
  return db.transaction(
    async (tx) => {
      await tx.insert(trials).values({ subscriptionId, addressHash, cardHash }).onConflictDoNothing();
      const [own] = await tx
        .select()
        .from(trials)
        .where(eq(trials.subscriptionId, subscriptionId))
        .for("update");
      if (own === undefined) return false;
      if (own.cardHash !== null || cardHash === null) return true;
      // The card became known only now.
      const [used] = await tx.select().from(trials).where(eq(trials.cardHash, cardHash));
      if (used === undefined) await tx.update(trials).set({ cardHash }).where(eq(trials.id, own.id));
      else await tx.delete(trials).where(eq(trials.id, own.id));
      return used === undefined;
    },
    { accessMode: "read write" },
  );
}

/** Keyed: addresses are few enough to be guessed from a plain hash. */
function keyed(kind: "address" | "card", value: string): string {
  return createHmac("sha256", config.session.secret).update(`trial-${kind}:${value}`).digest("hex");
}
