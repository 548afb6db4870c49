import { ENDED_STATUSES, namesAnotherSite } from "./owner.server.ts";
import type {
  BillingProvider,
  ChargeSnapshot,
  InvoiceSnapshot,
  SubscriptionSnapshot,
} from "./providers/provider.ts";

/**
 * Tells the provider to end what was paid back whole for the period that runs, or is disputed: who has the money back
 * has no subscription. Of customers of ours only. Returns the ids; with `isDryRun` nothing is told.
 */
export async function endReturned(
  provider: BillingProvider,
  charges: ChargeSnapshot[],
  { isDryRun }: { isDryRun: boolean },
): Promise<string[]> {
  const ended = new Set<string>();
  for (const charge of charges) {
    const id = charge.subscriptionId;
    if (id === null || ended.has(id) || !isReturned(charge)) continue;
    const subscription = await provider.readSubscription(id);
    if (subscription === null || ENDED_STATUSES.includes(subscription.status)) continue;
    if (subscription.customerId !== charge.customerId || namesAnotherSite(subscription.site)) continue;
    const invoice = charge.invoiceId === null ? null : await provider.readInvoice(charge.invoiceId);
    if (!charge.isDisputed && !isOfThisPeriod(invoice, subscription)) continue;
    if (!isDryRun) await provider.endNow(id);
    ended.add(id);
  }
  return [...ended];
}

function isReturned({ isDisputed, amount, amountRefunded }: ChargeSnapshot): boolean {
  return isDisputed || (amount > 0 && amountRefunded >= amount);
}

function isOfThisPeriod(invoice: InvoiceSnapshot | null, { currentPeriodStart }: SubscriptionSnapshot) {
  // Of a former plan the period may reach beyond the day of the change.
  return invoice !== null && invoice.periodStart >= currentPeriodStart;
}
