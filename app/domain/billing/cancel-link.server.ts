import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { eq } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/billing.ts";
import type { Held } from "./held.server.ts";

const KEY_BYTES = 32;
const ID = /^[!-~]{1,255}$/;
/** sha256 in base64url. */
const SEAL = /^[\w-]{43}$/;
/** Good for this purpose only: nothing else that the secret signs can be used as a link, nor the other way round. */
const key = Buffer.from(hkdfSync("sha256", config.session.secret, "", "cancel-link", KEY_BYTES));

/** Where whoever has the mail can end the subscription without signing in, in full. Good for as long as it is theirs. */
export function cancelLink(subscription: Held): string {
  return new URL(paths.cancel(queryOf(subscription)), config.origin).href;
}

/** Where the same person can withdraw from its contract: whoever may end a subscription may end it in either way. */
export function withdrawLink(subscription: Held): string {
  return new URL(paths.withdraw(queryOf(subscription)), config.origin).href;
}

function queryOf(subscription: Held) {
  return { subscription: subscription.id, seal: sealOf(subscription) };
}

/** Whose subscription a link of ours is about, whichever it leads to; null for any other. */
export async function findBySeal(subscriptionId: string, seal: string): Promise<Held | null> {
  if (!ID.test(subscriptionId) || !SEAL.test(seal)) return null;
  const [held] = await db
    .select({ id: subscriptions.id, userId: subscriptions.userId })
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId));
  return held !== undefined && isSealOf(held, seal) ? held : null;
}

/** Compares what is written, not what it decodes to: of the last character two bits say nothing. */
function isSealOf(held: Held, seal: string): boolean {
  return timingSafeEqual(Buffer.from(sealOf(held)), Buffer.from(seal));
}

function sealOf({ id, userId }: Held): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([id, userId]))
    .digest("base64url");
}
