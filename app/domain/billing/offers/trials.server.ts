import { eq } from "drizzle-orm";
import { z } from "zod";
import { keyedHash, keysFor } from "#app/domain/keys/keys.server.ts";
import { keepStoredKey, readStoredKey } from "#app/domain/keys/stored-key.server.ts";
import { mailboxOf } from "#app/domain/mail/address.ts";
import { db, type Executor } from "#db/client.server.ts";
import { flag, readOne } from "#db/rows.ts";
import { users } from "#db/schema/auth.ts";
import { checkouts, trials } from "#db/schema/checkouts.ts";
import type { SubscriptionSnapshot } from "../providers/contract/provider.ts";
import { isFreeTrial } from "../rules/purchase-terms.ts";

/** The key that addresses and cards are hashed with. While no secret can decrypt the stored key, a key made from the secret stands in for it. */
export async function findTrialKey(executor: Executor = db): Promise<Buffer> {
  return (await readStoredKey("trial-key", executor)).key ?? keysFor("trial")[0];
}

export function keepTrialKey(): Promise<boolean> {
  return keepStoredKey("trial-key");
}

export async function hasHadTrial(userId: string, email: string, executor: Executor = db): Promise<boolean> {
  const addressHash = hashAddress(await findTrialKey(executor), email);
  return readOne(executor, flag)`SELECT
    EXISTS (SELECT FROM trials WHERE address_hash = ${addressHash})
    OR EXISTS (SELECT FROM subscriptions WHERE user_id = ${userId} AND trial_start IS NOT NULL)
    OR EXISTS (SELECT FROM checkouts
      WHERE user_id = ${userId} AND first_period IS NOT NULL AND status = 'completed')`;
}

/** False for a second trial: its buyer or card has had one. */
export async function claimTrial(subscription: SubscriptionSnapshot): Promise<boolean> {
  const checkoutId = z.uuid().safeParse(subscription.checkoutId);
  if (subscription.status !== "trialing" || !checkoutId.success) return true;
  const [buyer] = await db
    .select({ email: users.email, firstPeriod: checkouts.firstPeriod })
    .from(checkouts)
    .innerJoin(users, eq(users.id, checkouts.userId))
    .where(eq(checkouts.id, checkoutId.data));
  // Trials that the host gave by hand are not checked, and a first period that was paid is not taken back.
  if (buyer === undefined || !isFreeTrial(buyer.firstPeriod)) return true;
  return claimAddressAndCard(subscription, buyer.email);
}

/** Unique columns let only one subscription claim an address or a card. False when another has claimed one of them. */
async function claimAddressAndCard(
  { id: subscriptionId, fingerprint }: Pick<SubscriptionSnapshot, "id" | "fingerprint">,
  email: string,
): Promise<boolean> {
  await keepTrialKey();
  const key = await findTrialKey();
  const addressHash = hashAddress(key, email);
  const cardHash = fingerprint === null ? null : keyedHash(key, `trial-card:${fingerprint}`);
  return db.transaction(async (tx) => {
    await tx.insert(trials).values({ subscriptionId, addressHash, cardHash }).onConflictDoNothing();
    const [own] = await tx
      .select()
      .from(trials)
      .where(eq(trials.subscriptionId, subscriptionId))
      .for("update");
    if (own === undefined) return false;
    if (own.cardHash !== null || cardHash === null) return true;
    const [used] = await tx.select().from(trials).where(eq(trials.cardHash, cardHash));
    if (used === undefined) await tx.update(trials).set({ cardHash }).where(eq(trials.id, own.id));
    else await tx.delete(trials).where(eq(trials.id, own.id));
    return used === undefined;
  });
}

function hashAddress(key: Buffer, email: string): string {
  return keyedHash(key, `trial-address:${mailboxOf(email)}`);
}
