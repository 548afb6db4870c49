import { and, eq, ne, notInArray, sql } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-status.ts";
import { db } from "#db/client.server.ts";
import { customers, subscriptions } from "#db/schema/billing.ts";
import { closeBegun, closeCheckout } from "../checkout/checkouts.server.ts";
import { currentProvider } from "../providers/current-provider.server.ts";
import type { BillingProvider } from "../providers/provider.ts";
import { DEMO_PROVIDER } from "../providers/provider.ts";
import { isProviderUnreachable } from "../providers/provider-pages.server.ts";
import { withTimeout } from "../providers/timeout.ts";

/** Ends at once all that could charge this person; no subscription when the provider does not know a paid one. */
export async function endEverything(userId: string): Promise<"done" | "unreachable" | "unknownToProvider"> {
  try {
    return await withTimeout(endAll(currentProvider(), userId));
  } catch (error) {
    if (isProviderUnreachable(error)) return "unreachable";
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
  if (provider?.name !== customer.provider) return stored.some(isPaid) ? "unknownToProvider" : "done";
  // A process may have stopped before it stored a page it had created.
  await provider.closePages(customer.providerCustomerId);
  const listed = await provider.listSubscriptions(customer.providerCustomerId);
  const others = stored.filter(({ id }) => listed.every((one) => one.id !== id));
  const fetched = await Promise.all(
    others.map(({ id, provider: name }) => (name === provider.name ? provider.readSubscription(id) : null)),
  );
  // Its seller may still charge for it.
  if (others.some((one, index) => fetched[index] === null && isPaid(one))) return "unknownToProvider";
  for (const one of [...listed, ...fetched]) {
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

function listSold(userId: string) {
  const isOpen = and(
    ne(subscriptions.provider, DEMO_PROVIDER),
    notInArray(subscriptions.status, ENDED_STATUSES),
  );
  return db
    .select(SOLD)
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), isOpen));
}
