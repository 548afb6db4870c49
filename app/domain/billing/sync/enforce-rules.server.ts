import { and, eq, inArray } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";
import { invoices } from "#db/schema/invoices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { claimTrial } from "../offers/trials.server.ts";
import type { BillingProvider } from "../providers/contract/provider.ts";
import { isLapsed } from "../rules/lapsed-invoice.ts";
import { IS_BILLED } from "../subscriptions/own-subscription.server.ts";
import { listReversedSubscriptions } from "./refunds.server.ts";
import type { ProviderSnapshot } from "./snapshot.server.ts";
import { cancelUnwantedSales } from "./unwanted-sales.server.ts";

export async function fetchAndEnforce(
  provider: BillingProvider,
  fetch: () => Promise<ProviderSnapshot>,
): Promise<ProviderSnapshot> {
  const fetched = await fetch();
  const unwanted = await cancelUnwantedSales(provider, fetched);
  const isChanged = (await endSubscriptions(provider, fetched)) || unwanted.length > 0;
  const snapshot = await voidLapsed(provider, isChanged ? await fetch() : fetched);
  return { ...snapshot, differences: [...snapshot.differences, ...unwanted] };
}

async function endSubscriptions(provider: BillingProvider, snapshot: ProviderSnapshot): Promise<boolean> {
  const ended = new Set(await listReversedSubscriptions(provider, snapshot));
  for (const subscription of snapshot.subscriptions) {
    if (!ended.has(subscription.id) && !(await claimTrial(subscription))) ended.add(subscription.id);
  }
  for (const id of ended) await provider.endNow(id);
  return ended.size > 0;
}

async function voidLapsed(provider: BillingProvider, snapshot: ProviderSnapshot): Promise<ProviderSnapshot> {
  const ids = await listLapsed(snapshot);
  const answers = [];
  for (const id of ids) {
    await provider.voidInvoice(id);
    answers.push(await provider.readInvoice(id));
  }
  const others = snapshot.invoices.filter(({ id }) => !ids.includes(id));
  return { ...snapshot, invoices: [...others, ...answers.filter((answer) => answer !== null)] };
}

/** Those of the snapshot, and our open ones, because an event about a subscription brings no invoices. */
export async function listLapsed(snapshot: ProviderSnapshot): Promise<string[]> {
  const ended = snapshot.subscriptions.filter(
    ({ status, isOtherSite }) => ENDED_STATUSES.includes(status) && !isOtherSite,
  );
  if (ended.length === 0) return [];
  // Only of subscriptions that were sold here: one account may sell for several sites.
  const sold = await db
    .select({ id: subscriptions.id, invoice: invoices })
    .from(subscriptions)
    .leftJoin(invoices, and(IS_BILLED, eq(invoices.status, "open")))
    .where(
      inArray(
        subscriptions.id,
        ended.map(({ id }) => id),
      ),
    );
  const fetched = new Set(snapshot.invoices.map(({ id }) => id));
  const stored = sold.flatMap(({ invoice }) => (invoice && !fetched.has(invoice.id) ? [invoice] : []));
  const soldIds = new Set(sold.map(({ id }) => id));
  return [...snapshot.invoices, ...stored]
    .filter((invoice) => {
      const subscription = ended.find(({ id }) => id === invoice.subscriptionId);
      return subscription && soldIds.has(subscription.id) && isLapsed(invoice, subscription);
    })
    .map(({ id }) => id);
}
