import { and, eq, ne, notInArray, sql } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";
import { customers, subscriptions } from "#db/schema/billing.ts";
import { closeCheckout, closeOpenCheckout } from "../checkout/checkout-rows.server.ts";
import { DEMO_PROVIDER } from "../providers/contract/capabilities.ts";
import { sellingProvider } from "../providers/providers.server.ts";
import { unlessUnreachable, withTimeout } from "../providers/timeout.ts";

export function endEverything(userId: string): Promise<"done" | "unreachable" | "unknownToProvider"> {
  return unlessUnreachable(withTimeout(endAll(userId)), "unreachable");
}

async function endAll(userId: string) {
  const provider = sellingProvider();
  const open = await closeOpenCheckout(userId, provider?.name);
  if (open !== null) {
    await provider?.expireCheckout(open.page);
    await closeCheckout(open.id, "replaced", open.page);
  }
  const [customer] = await db.select().from(customers).where(eq(customers.userId, userId));
  if (customer === undefined) return "done";
  const stored = await listStored(userId);
  if (provider?.name !== customer.provider) {
    return stored.some(({ hasTimeLeft }) => hasTimeLeft) ? "unknownToProvider" : "done";
  }
  // A process may have stopped before it stored a page it had created.
  await provider.closePages(customer.providerCustomerId);
  const found = await provider.listSubscriptions(customer.providerCustomerId);
  for (const one of stored.filter(({ id }) => found.every((listed) => listed.id !== id))) {
    const fetched = one.provider === provider.name ? await provider.readSubscription(one.id) : null;
    if (fetched !== null) found.push(fetched);
    else if (one.hasTimeLeft) return "unknownToProvider";
  }
  for (const { id, status } of found) {
    if (!ENDED_STATUSES.includes(status)) await provider.endNow(id);
  }
  return "done";
}

function listStored(userId: string) {
  const isOpen = notInArray(subscriptions.status, ENDED_STATUSES);
  const isSold = ne(subscriptions.provider, DEMO_PROVIDER);
  const hasTimeLeft = sql<boolean>`${subscriptions.currentPeriodEnd} > now()`;
  return db
    .select({ id: subscriptions.id, provider: subscriptions.provider, hasTimeLeft })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), isOpen, isSold));
}
