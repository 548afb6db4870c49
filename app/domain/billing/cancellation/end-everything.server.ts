import { and, eq, ne, notInArray, sql } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { closeCheckout, closeOpenCheckout } from "../checkout/checkout-rows.server.ts";
import { DEMO_PROVIDER } from "../providers/contract/capabilities.ts";
import type { BillingProvider } from "../providers/contract/provider.ts";
import { findClosing, providerOf } from "../providers/providers.server.ts";
import { unlessUnreachable, withTimeout } from "../providers/timeout.ts";
import { listCustomers } from "../subscriptions/customers.server.ts";

export function endEverything(userId: string): Promise<"done" | "unreachable" | "unknownToProvider"> {
  return unlessUnreachable(withTimeout(endAll(userId)), "unreachable");
}

async function endAll(userId: string) {
  await closeOpenPage(userId);
  const stored = await listStored(userId);
  const customers = await listCustomers(userId);
  const names = new Set([...customers, ...stored].map(({ provider }) => provider));
  for (const name of names) {
    const provider = providerOf(name);
    const rows = stored.filter((row) => row.provider === name);
    const customerId = customers.find((customer) => customer.provider === name)?.customerId ?? null;
    const isEnded =
      provider === null
        ? !rows.some(({ mayBeCharged }) => mayBeCharged)
        : await endAt(provider, customerId, rows);
    if (!isEnded) return "unknownToProvider";
  }
  return "done";
}

async function closeOpenPage(userId: string): Promise<void> {
  const open = await closeOpenCheckout(userId);
  if (open === null) return;
  await findClosing(open.provider)?.expireCheckout(open.page);
  await closeCheckout(open.id, "replaced", open.page);
}

/** False when the provider does not know a subscription that may still be charged. */
async function endAt(
  provider: BillingProvider,
  customerId: string | null,
  rows: Awaited<ReturnType<typeof listStored>>,
): Promise<boolean> {
  // A process may have stopped before it stored a page it had created.
  if (customerId !== null) await findClosing(provider.name)?.closePages(customerId);
  const found = customerId === null ? [] : await provider.listSubscriptions(customerId);
  for (const one of rows.filter(({ id }) => found.every((listed) => listed.id !== id))) {
    const fetched = await provider.readSubscription(one.id);
    if (fetched !== null) found.push(fetched);
    else if (one.mayBeCharged) return false;
  }
  for (const { id, status } of found) {
    if (!ENDED_STATUSES.includes(status)) await provider.endNow(id);
  }
  return true;
}

function listStored(userId: string) {
  const isOpen = notInArray(subscriptions.status, ENDED_STATUSES);
  const isSold = ne(subscriptions.provider, DEMO_PROVIDER);
  const mayBeCharged = sql<boolean>`${subscriptions.currentPeriodEnd} > now() AND NOT ${subscriptions.isPrepaid}`;
  return db
    .select({ id: subscriptions.id, provider: subscriptions.provider, mayBeCharged })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), isOpen, isSold));
}
