import { z } from "zod";
import { pageOf } from "../http/lists.ts";
import { mergeMetadata, metadata, read, text, whole } from "../http/params.ts";
import { listRoute, retrieveRoute } from "../http/read-routes.ts";
import type { Route } from "../http/route.ts";
import { refundCharge } from "../payments/refund.ts";
import { required } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { idOf } from "../state/ids.ts";

const refund = z.object({
  charge: text.optional(),
  payment_intent: text.optional(),
  amount: whole.min(1).optional(),
  reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
  metadata: metadata.optional(),
});
const ofPayment = z.object({ charge: text.optional(), payment_intent: text.optional() });
const ofInvoice = z.object({
  invoice: text.optional(),
  payment: z.object({ type: z.literal("payment_intent"), payment_intent: text.optional() }).optional(),
});

export const moneyRoutes: Route[] = [
  {
    method: "POST",
    path: "/v1/refunds",
    run: ({ account, params }) => {
      const { charge: chargeId, payment_intent, amount, reason, metadata: given } = read(refund, params);
      const intent =
        payment_intent === undefined
          ? null
          : required(account.state.paymentIntents, "payment_intent", payment_intent, "payment_intent");
      const id = chargeId ?? idOf(intent?.latest_charge);
      if (!id) throw invalid("One of the following params should be provided: payment_intent or charge.");
      const charge = required(account.state.charges, "charge", id, "charge");
      return refundCharge(account, charge, { amount, reason, metadata: mergeMetadata({}, given) });
    },
  },
  listRoute({
    path: "/v1/refunds",
    of: ({ refunds }) => refunds,
    filters: ofPayment,
    facts: { charge: (each) => idOf(each.charge), payment_intent: (each) => idOf(each.payment_intent) },
  }),
  listRoute({
    path: "/v1/charges",
    of: ({ charges }) => charges,
    filters: z.object({ customer: text.optional(), payment_intent: text.optional() }),
    facts: { customer: (each) => idOf(each.customer), payment_intent: (each) => idOf(each.payment_intent) },
  }),
  retrieveRoute("/v1/charges", "charge", ({ charges }) => charges),
  {
    method: "GET",
    path: "/v1/invoice_payments",
    run: ({ account, params }) => {
      const { invoice, payment } = read(ofInvoice, params);
      const found = Object.values(account.state.invoicePayments).filter(
        (each) =>
          (invoice === undefined || each.invoice === invoice) &&
          (payment?.payment_intent === undefined || each.payment.payment_intent === payment.payment_intent),
      );
      return pageOf("/v1/invoice_payments", found, params);
    },
  },
  listRoute({
    path: "/v1/disputes",
    of: ({ disputes }) => disputes,
    filters: ofPayment,
    facts: { charge: (each) => idOf(each.charge), payment_intent: (each) => idOf(each.payment_intent) },
  }),
  retrieveRoute("/v1/disputes", "dispute", ({ disputes }) => disputes),
  {
    method: "GET",
    path: "/v1/balance",
    run: () => ({
      object: "balance",
      available: [{ amount: 0, currency: "usd", source_types: { card: 0 } }],
      livemode: false,
      pending: [{ amount: 0, currency: "usd", source_types: { card: 0 } }],
    }),
  },
];
