import { and, eq, notInArray } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { customers, subscriptions } from "#db/schema/billing.ts";
import { closeBegun, closeCheckout } from "./checkout-rows.server.ts";
import { ENDED_STATUSES, listOpenSubscriptions } from "./owner.server.ts";
import { withPatience } from "./patience.ts";
import { isProviderAway } from "./provider-away.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import type { BillingProvider } from "./providers/provider.ts";

/**
 * Ends at the provider, at once, all that could ever charge this person again: purchases that were begun, then every
 * subscription, also such as we have not heard of. "away": the provider did not confirm it. "elsewhere": something lives
 * on at a provider that this site no longer uses.
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
  if (provider?.name !== customer.provider) return (await hasLive(userId)) ? "elsewhere" : "done";
  const listed = await provider.listSubscriptions(customer.providerCustomerId);
  const others = (await listOpenSubscriptions(userId, provider.name)).filter((id) =>
    listed.every((one) => one.id !== id),
  );
  // Sold to a customer whom this one has taken the place of. What the provider does not know it does not charge for.
  const asked = await Promise.all(others.map((id) => provider.readSubscription(id)));
  for (const one of [...listed, ...asked]) {
    if (one !== null && !ENDED_STATUSES.includes(one.status)) await provider.endNow(one.id);
  }
  return "done";
}

async function hasLive(userId: string): Promise<boolean> {
  const live = and(eq(subscriptions.userId, userId), notInArray(subscriptions.status, ENDED_STATUSES));
  return (await db.$count(subscriptions, live)) > 0;
}
