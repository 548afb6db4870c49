import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import type {
  BillingProvider,
  ChargeSnapshot,
  InvoiceSnapshot,
  SubscriptionSnapshot,
} from "../providers/contract/provider.ts";
import type { ProviderSnapshot } from "./snapshot.server.ts";

export async function listReversedSubscriptions(
  provider: BillingProvider,
  { charges, invoices, subscriptions }: ProviderSnapshot,
): Promise<string[]> {
  const reversed = new Set<string>();
  for (const charge of charges) {
    const id = charge.subscriptionId;
    if (id === null || reversed.has(id) || !isReversed(charge)) continue;
    const subscription = subscriptions.find((one) => one.id === id);
    if (subscription === undefined || ENDED_STATUSES.includes(subscription.status)) continue;
    if (subscription.customerId !== charge.customerId || subscription.isOtherSite) continue;
    // Without the returned payment, the others are what is paid.
    if (subscription.isPrepaid) continue;
    const fetched = invoices.find((one) => one.id === charge.invoiceId);
    const invoice =
      fetched ?? (charge.invoiceId === null ? null : await provider.readInvoice(charge.invoiceId));
    if (charge.isDisputed || (await paidCurrentPeriod(provider, invoice, subscription))) reversed.add(id);
  }
  return [...reversed];
}

function isReversed({ isDisputed, amount, amountRefunded }: ChargeSnapshot): boolean {
  return isDisputed || (amount > 0 && amountRefunded >= amount);
}

/** A plan change within the period has an invoice of its own. */
async function paidCurrentPeriod(
  provider: BillingProvider,
  refunded: InvoiceSnapshot | null,
  { id, customerId, currentPeriodStart }: SubscriptionSnapshot,
): Promise<boolean> {
  // A former plan's period may reach beyond the day of the change.
  if (refunded === null || refunded.periodStart < currentPeriodStart) return false;
  if (refunded.periodStart <= currentPeriodStart) return true;
  const invoices = await provider.listInvoices(customerId);
  return !invoices.some(
    ({ subscriptionId, status, periodStart }) =>
      subscriptionId === id &&
      status === "paid" &&
      periodStart >= currentPeriodStart &&
      periodStart < refunded.periodStart,
  );
}
