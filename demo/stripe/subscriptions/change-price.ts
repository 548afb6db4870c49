import type Stripe from "stripe";
import { issueInvoice } from "../invoices/issue-invoice.ts";
import { itemOf, lineOf, planOf } from "../invoices/items.ts";
import type { Account } from "../state/account.ts";
import type { PendingLine } from "../state/state.ts";
import { payInvoice } from "./pay-invoice.ts";
import { billPeriod, restartPeriod } from "./renew.ts";

export type ProrationBehavior = "always_invoice" | "create_prorations" | "none";

/** Changes the price immediately. A different interval starts a new period and bills it at once. */
export function changePrice(
  account: Account,
  subscription: Stripe.Subscription,
  change: { price: Stripe.Price; quantity: number; proration: ProrationBehavior },
): void {
  const item = itemOf(subscription);
  const isPaidFor = subscription.status !== "trialing" && change.proration !== "none";
  const before = lineOf(account, subscription);
  const hasSameInterval =
    item.price.recurring?.interval === change.price.recurring?.interval &&
    item.price.recurring?.interval_count === change.price.recurring?.interval_count;
  account.change("customer.subscription.updated", subscription, () => {
    item.price = change.price;
    item.plan = planOf(change.price);
    item.quantity = change.quantity;
  });
  const timers = account.timersOf(subscription.id);
  if (isPaidFor) timers.pendingLines.push(...shareLeft(account, before, "Unused time on", -1));
  if (subscription.status === "trialing") return;
  if (!hasSameInterval) {
    restartPeriod(account, subscription);
    billPeriod(account, subscription, "subscription_update");
    return;
  }
  if (isPaidFor) {
    timers.pendingLines.push(...shareLeft(account, lineOf(account, subscription), "Remaining time on", 1));
  }
  if (change.proration !== "always_invoice") return;
  const invoice = issueInvoice(account, subscription, { reason: "subscription_update", lines: [] });
  payInvoice(account, invoice, { isPresent: false, isScheduled: true });
}

function shareLeft(account: Account, line: PendingLine, words: string, sign: 1 | -1): PendingLine[] {
  const share = (line.end - account.now()) / (line.end - line.start);
  const amount = sign * Math.round(line.amount * Math.min(1, Math.max(0, share)));
  if (amount === 0) return [];
  const description = `${words} ${line.description}`;
  return [{ ...line, amount, description, start: account.now(), isProration: true }];
}
