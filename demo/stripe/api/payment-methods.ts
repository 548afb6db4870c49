import type Stripe from "stripe";
import { z } from "zod";
import { pageOf } from "../http/lists.ts";
import { mergeMetadata, metadata, read, text, whole } from "../http/params.ts";
import type { Route } from "../http/route.ts";
import { attachCard, CARDS, isLast4, makeCard, refusal } from "../payments/cards.ts";
import { type Account, required } from "../state/account.ts";
import { invalid, missing } from "../state/fault.ts";

const update = z.object({
  card: z.object({ exp_month: whole.min(1).max(12).optional(), exp_year: whole.optional() }).optional(),
  metadata: metadata.optional(),
});
const creation = z.object({
  type: z.literal("card"),
  card: z.object({ number: text.optional(), token: text.optional() }),
});

export const paymentMethodRoutes: Route[] = [
  {
    method: "POST",
    path: "/v1/payment_methods",
    run: ({ account, params }) => {
      const { card } = read(creation, params);
      const last4 = card.number?.slice(-4) ?? "4242";
      if (!isLast4(last4))
        throw invalid("Your card number is incorrect.", "card[number]", "incorrect_number");
      return makeCard(account, last4, null);
    },
  },
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
    method: "GET",
    path: "/v1/payment_methods/:id",
    run: ({ account, id }) => required(account.state.paymentMethods, "PaymentMethod", id),
  },
  {
    method: "POST",
    path: "/v1/payment_methods/:id",
    run: ({ account, id, params }) => {
      const found = required(account.state.paymentMethods, "PaymentMethod", id);
      const { card, metadata: given } = read(update, params);
      return account.change("payment_method.updated", found, () => {
        if (found.card) Object.assign(found.card, card);
        found.metadata = mergeMetadata(found.metadata, given);
      });
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
