import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { idOf } from "../ids.ts";
import { intentOf } from "./payment-intent.ts";
import { DAY_SECONDS } from "./periods.ts";

/** Banks take days. */
const TRANSFER_SECONDS = 3 * DAY_SECONDS;

/** The bank is told to send the money, which counts as an attempt. Until it is here the subscription stays as it is. */
export function orderTransfer(account: Account, invoice: Stripe.Invoice): void {
  const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription) ?? "";
  account.timersOf(subscriptionId).transfer = {
    invoice: String(invoice.id),
    arrivesAt: account.now() + TRANSFER_SECONDS,
  };
  intentOf(account, invoice).status = "processing";
  account.change("invoice.updated", invoice, () => {
    invoice.attempted = true;
    invoice.attempt_count++;
    invoice.next_payment_attempt = null;
  });
}
