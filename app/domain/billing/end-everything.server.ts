import { and, eq, ne, notInArray, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { customers, subscriptions } from "#db/schema/billing.ts";
import { closeBegun, closeCheckout } from "./checkout-rows.server.ts";
import { GIVEN } from "./given.server.ts";
import { ENDED_STATUSES } from "./owner.server.ts";
import { withPatience } from "./patience.ts";
import { isProviderAway } from "./provider-away.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import type { BillingProvider } from "./providers/provider.ts";

/**
 * Ends at the provider, at once, all that could ever charge this person again: purchases that were begun, then every
 * subscription, also such as we have not heard of. "away": the provider did not confirm it. "elsewhere": one whose paid
 * time is not over is unknown to it, so that it lives on under another account or at another provider; none is ended then.
 */
export async function endEverything(userId: string): Promise<"done" | "away" | "elsewhere"> {
  try {
    return await withPatience(endAll(currentProvider(), userId));
  } catch (error) {
    if (isProviderAway(error)) return "away";
    throw error;
  }
}

async function endAll(provider: BillingProvider | null, userId: string) {
  for (const { id, page } of await closeBegun(userId, provider?.name ?? null)) {
    await provider?.expireCheckout(page);
    await closeCheckout(id, "replaced", page);
  }
  return endSubscriptions(provider, userId);
}

async function endSubscriptions(provider: BillingProvider | null, userId: string) {
  const [customer] = await db.select().from(customers).where(eq(customers.userId, userId));
  if (customer === undefined) return "done";
  const stored = await listSold(userId);
  if (provider?.name !== customer.provider) return stored.some(isPaid) ? "elsewhere" : "done";
  const listed = await provider.listSubscriptions(customer.providerCustomerId);
  // Sold to a customer whom this one has taken the place of, or under another account.
  const others = stored.filter(({ id }) => listed.every((one) => one.id !== id));
  const asked = await Promise.all(
    others.map(({ id, provider: name }) => (name === provider.name ? provider.readSubscription(id) : null)),
  );
  // Whoever has sold it may charge for it still.
  if (others.some((one, place) => asked[place] === null && isPaid(one))) return "elsewhere";
  for (const one of [...listed, ...asked]) {
    if (one !== null && !ENDED_STATUSES.includes(one.status)) await provider.endNow(one.id);
  }
  return "done";
}

const SOLD = {
  id: subscriptions.id,
  provider: subscriptions.provider,
  isPaid: sql<boolean>`${subscriptions.currentPeriodEnd} > now()`,
};

const isPaid = (sold: { isPaid: boolean }) => sold.isPaid;

/** What was sold and is not over for good, as far as we know, whoever has sold it. */
function listSold(userId: string) {
  const isOpen = and(ne(subscriptions.provider, GIVEN), notInArray(subscriptions.status, ENDED_STATUSES));
  return db
    .select(SOLD)
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), isOpen));
}
