import { and, eq, notInArray } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { checkouts, customers, subscriptions } from "#db/schema/billing.ts";
import { ENDED_STATUSES } from "./owner.server.ts";
import { isProviderAway } from "./provider-away.ts";
import { currentProvider } from "./providers/current-provider.server.ts";

/**
 * Ends at the provider, at once, all that could ever charge this person again: purchases that were begun, then every
 * subscription, also such as we have not heard of. "away": the provider did not confirm it. "elsewhere": something lives
 * on at a provider that this site no longer uses.
 */
export async function endEverything(userId: string): Promise<"done" | "away" | "elsewhere"> {
  const provider = currentProvider();
  const [customer] = await db.select().from(customers).where(eq(customers.userId, userId));
  if (customer === undefined) return "done";
  if (provider?.name !== customer.provider) return (await hasLive(userId)) ? "elsewhere" : "done";
  try {
    for (const id of await listOpenCheckouts(userId)) await provider.expireCheckout(id);
    for (const { id, status } of await provider.listSubscriptions(customer.providerCustomerId)) {
      if (!ENDED_STATUSES.includes(status)) await provider.endNow(id);
    }
    return "done";
  } catch (error) {
    if (isProviderAway(error)) return "away";
    throw error;
  }
}

async function hasLive(userId: string): Promise<boolean> {
  const live = and(eq(subscriptions.userId, userId), notInArray(subscriptions.status, ENDED_STATUSES));
  return (await db.$count(subscriptions, live)) > 0;
}

async function listOpenCheckouts(userId: string): Promise<string[]> {
  const open = await db
    .select({ id: checkouts.providerCheckoutId })
    .from(checkouts)
    .where(and(eq(checkouts.userId, userId), eq(checkouts.status, "open")));
  return open.flatMap(({ id }) => id ?? []);
}
