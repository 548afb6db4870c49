import type Stripe from "stripe";
import { z } from "zod";
import { pageOf } from "../http/lists.ts";
import { mergeMetadata, metadata, read, text, unsettable, whole } from "../http/params.ts";
import { listRoute } from "../http/read-routes.ts";
import type { Route } from "../http/route.ts";
import { attachCard, refusal } from "../payments/cards.ts";
import { type Account, required } from "../state/account.ts";
import { newId } from "../state/ids.ts";
import { endSubscription } from "../subscriptions/end-subscription.ts";
import { knownOrTest } from "./payment-methods.ts";

const customer = z.object({
  email: unsettable.optional(),
  name: unsettable.optional(),
  description: unsettable.optional(),
  phone: unsettable.optional(),
  balance: whole.optional(),
  metadata: metadata.optional(),
  payment_method: text.optional(),
  invoice_settings: z.object({ default_payment_method: unsettable.optional() }).optional(),
});

export const customerRoutes: Route[] = [
  { method: "POST", path: "/v1/customers", run: ({ account, params }) => createCustomer(account, params) },
  listRoute({
    path: "/v1/customers",
    of: ({ customers }) => customers,
    filters: z.object({ email: text.optional() }),
    facts: { email: (each) => each.email },
  }),
  {
    method: "GET",
    path: "/v1/customers/:id",
    run: ({ account, id }) =>
      account.state.deletedCustomers[id] ?? required(account.state.customers, "customer", id),
  },
  {
    method: "POST",
    path: "/v1/customers/:id",
    run: ({ account, id, params }) => {
      const found = required(account.state.customers, "customer", id);
      const { metadata: given, invoice_settings, payment_method: _, ...values } = read(customer, params);
      const method = invoice_settings?.default_payment_method;
      if (method) {
        required(
          account.state.paymentMethods,
          "PaymentMethod",
          method,
          "invoice_settings[default_payment_method]",
        );
      }
      return account.change("customer.updated", found, () => {
        Object.assign(found, values, { metadata: mergeMetadata(found.metadata, given) });
        if (method !== undefined) found.invoice_settings.default_payment_method = method;
      });
    },
  },
  { method: "DELETE", path: "/v1/customers/:id", run: ({ account, id }) => deleteCustomer(account, id) },
  {
    method: "GET",
    path: "/v1/customers/:id/payment_methods",
    run: ({ account, id, params }) => {
      required(account.state.customers, "customer", id);
      const found = Object.values(account.state.paymentMethods).filter((each) => each.customer === id);
      return pageOf(`/v1/customers/${id}/payment_methods`, found, params);
    },
  },
];

export function createCustomer(account: Account, params: unknown, id = newId("cus")): Stripe.Customer {
  const { metadata: given, invoice_settings, ...values } = read(customer, params);
  const { payment_method } = values;
  const method = payment_method ? knownOrTest(account, payment_method, "payment_method") : null;
  const fault = method && refusal(method.card?.last4 ?? "", { isPresent: true });
  if (fault) throw fault;
  const isUsual = Boolean(invoice_settings?.default_payment_method);
  const made: Stripe.Customer = {
    id,
    object: "customer",
    address: null,
    balance: values.balance ?? 0,
    created: account.now(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: values.description ?? null,
    discount: null,
    email: values.email ?? null,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: isUsual && method ? method.id : null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: mergeMetadata({}, given),
    name: values.name ?? null,
    next_invoice_sequence: 1,
    phone: values.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
  account.state.customers[id] = made;
  account.record("customer.created", made);
  if (method) attachCard(account, method, id);
  return made;
}

/** Also ends the customer's subscriptions immediately. */
function deleteCustomer(account: Account, id: string): Stripe.DeletedCustomer {
  const found = required(account.state.customers, "customer", id);
  for (const subscription of Object.values(account.state.subscriptions)) {
    if (subscription.customer !== id) continue;
    if (["canceled", "incomplete_expired"].includes(subscription.status)) continue;
    endSubscription(account, subscription, { reason: "cancellation_requested" });
  }
  const deleted: Stripe.DeletedCustomer = { id, object: "customer", deleted: true };
  delete account.state.customers[id];
  account.state.deletedCustomers[id] = deleted;
  account.record("customer.deleted", found);
  return deleted;
}
