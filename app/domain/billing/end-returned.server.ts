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
    if (!charge.isDisputed && !(await isPeriodUnpaid(provider, invoice, subscription))) continue;
    if (!isDryRun) await provider.endNow(id);
    ended.add(id);
  }
  return [...ended];
}

function isReturned({ isDisputed, amount, amountRefunded }: ChargeSnapshot): boolean {
  return isDisputed || (amount > 0 && amountRefunded >= amount);
}

/** Whether the period that runs was paid with this invoice. A change of the plan within it is billed beside it. */
async function isPeriodUnpaid(
  provider: BillingProvider,
  returned: InvoiceSnapshot | null,
  { id, customerId, currentPeriodStart }: SubscriptionSnapshot,
): Promise<boolean> {
  // Of a former plan the period may reach beyond the day of the change.
  if (returned === null || returned.periodStart < currentPeriodStart) return false;
  if (returned.periodStart <= currentPeriodStart) return true;
  const invoices = await provider.listInvoices(customerId);
  return !invoices.some(
    ({ subscriptionId, status, periodStart }) =>
      subscriptionId === id &&
      status === "paid" &&
      periodStart >= currentPeriodStart &&
      periodStart < returned.periodStart,
  );
}
