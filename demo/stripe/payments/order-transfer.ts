import type Stripe from "stripe";
import { DAY_SECONDS } from "../../stand-in/clock.ts";
import type { Account } from "../state/account.ts";
import { idOf } from "../state/ids.ts";
import { intentOf } from "./payment-intent.ts";

/** Bank transfers take days. */
const TRANSFER_SECONDS = 3 * DAY_SECONDS;

/**
 * Orders the transfer at the bank, which counts as an attempt. The subscription stays unchanged until the money
 * arrives.
 */
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
