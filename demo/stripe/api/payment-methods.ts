import type Stripe from "stripe";
import { z } from "zod";
import { pageOf } from "../http/lists.ts";
import { read, text } from "../http/params.ts";
import type { Route } from "../http/route.ts";
import { attachCard, CARDS, makeCard, refusal } from "../payments/cards.ts";
import { type Account, required } from "../state/account.ts";
import { invalid, missing } from "../state/fault.ts";

export const paymentMethodRoutes: Route[] = [
  {
    method: "GET",
    path: "/v1/payment_methods",
    run: ({ account, params }) => {
      const { customer } = read(z.object({ customer: text }), params);
      const found = Object.values(account.state.paymentMethods).filter((each) => each.customer === customer);
      return pageOf("/v1/payment_methods", found, params);
    },
  },
  {
    method: "POST",
    path: "/v1/payment_methods/:id/attach",
    run: ({ account, id, params }) => {
      const { customer } = read(z.object({ customer: text }), params);
      required(account.state.customers, "customer", customer, "customer");
      const method = knownOrTest(account, id);
      const fault = refusal(method.card?.last4 ?? "", { isPresent: true });
      if (fault) throw fault;
      attachCard(account, method, customer);
      return method;
    },
  },
  {
    method: "POST",
    path: "/v1/payment_methods/:id/detach",
    run: ({ account, id }) => {
      const found = required(account.state.paymentMethods, "PaymentMethod", id);
      if (found.customer === null) {
        throw invalid(
          "The payment method you provided is not attached to a customer so detachment is impossible.",
        );
      }
      forget(account, id);
      return account.change("payment_method.detached", found, () => {
        found.customer = null;
      });
    },
  },
];

/** Returns an attached method, or makes a new one for a test id such as pm_card_visa. */
export function knownOrTest(account: Account, id: string, param?: string): Stripe.PaymentMethod {
  const known = account.state.paymentMethods[id];
  if (known) return known;
  const kind = CARDS.find(({ testIds }) => testIds.some((testId) => testId === id));
  if (!kind) throw missing("PaymentMethod", id, param);
  return makeCard(account, kind.last4, null);
}

function forget(account: Account, id: string): void {
  for (const customer of Object.values(account.state.customers)) {
    if (customer.invoice_settings.default_payment_method !== id) continue;
    account.change("customer.updated", customer, () => {
      customer.invoice_settings.default_payment_method = null;
    });
  }
  for (const subscription of Object.values(account.state.subscriptions)) {
    if (subscription.default_payment_method !== id) continue;
    account.change("customer.subscription.updated", subscription, () => {
      subscription.default_payment_method = null;
    });
  }
}
