import type Stripe from "stripe";
import { z } from "zod";
import { flag, read, text } from "../http/params.ts";
import { listRoute, retrieveRoute } from "../http/read-routes.ts";
import type { Route } from "../http/route.ts";
import { buildInvoice } from "../invoices/build-invoice.ts";
import { finalizeInvoice, voidInvoice, writeOffInvoice } from "../invoices/issue-invoice.ts";
import { itemOf, lineOf, requirePrice } from "../invoices/items.ts";
import { type Account, required } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { idOf, newId } from "../state/ids.ts";
import { payInvoice } from "../subscriptions/pay-invoice.ts";
import { knownOrTest } from "./payment-methods.ts";

const filters = z.object({
  customer: text.optional(),
  subscription: text.optional(),
  status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
});
const payment = z.object({ payment_method: text.optional(), off_session: flag.default(true) });
const preview = z.object({
  customer: text.optional(),
  subscription: text.optional(),
  subscription_details: z
    .object({ items: z.array(z.object({ id: text.optional(), price: text.optional() })).optional() })
    .optional(),
});

export const invoiceRoutes: Route[] = [
  {
    method: "POST",
    path: "/v1/invoices/create_preview",
    run: ({ account, params }) => previewOf(account, read(preview, params)),
  },
  listRoute({
    path: "/v1/invoices",
    of: ({ invoices }) => invoices,
    filters,
    facts: {
      customer: (each) => idOf(each.customer),
      subscription: (each) => idOf(each.parent?.subscription_details?.subscription),
      status: (each) => each.status,
    },
  }),
  retrieveRoute("/v1/invoices", "invoice", ({ invoices }) => invoices),
  {
    method: "POST",
    path: "/v1/invoices/:id/void",
    run: ({ account, id }) => {
      const found = required(account.state.invoices, "invoice", id);
      voidInvoice(account, found);
      return found;
    },
  },
  {
    method: "POST",
    path: "/v1/invoices/:id/mark_uncollectible",
    run: ({ account, id }) => {
      const found = required(account.state.invoices, "invoice", id);
      if (found.status !== "open") throw invalid("Only an open invoice can be marked uncollectible.");
      writeOffInvoice(account, found);
      return found;
    },
  },
  {
    method: "POST",
    path: "/v1/invoices/:id/pay",
    run: ({ account, id, params }) => {
      const found = required(account.state.invoices, "invoice", id);
      const { payment_method: method, off_session } = read(payment, params);
      if (found.status === "paid") {
        throw invalid("Invoice is already paid", undefined, "invoice_already_paid");
      }
      if (found.status === "draft") finalizeInvoice(account, found);
      if (found.status === "void") throw invalid("Voided invoices cannot be paid.");
      const fault = payInvoice(account, found, {
        isPresent: !off_session,
        isScheduled: false,
        method: method === undefined ? null : knownOrTest(account, method, "payment_method"),
      });
      if (fault) throw fault;
      return found;
    },
  },
];

function previewOf(account: Account, params: z.infer<typeof preview>): Stripe.Invoice {
  const id = params.subscription ?? liveOf(account, params.customer ?? "")?.id ?? "";
  const subscription = required(account.state.subscriptions, "subscription", id, "subscription");
  const item = itemOf(subscription);
  const { cancel_at, status } = subscription;
  const { pendingLines } = account.timersOf(subscription.id);
  const isEnding = cancel_at !== null && cancel_at <= item.current_period_end;
  const hasNone = isEnding && pendingLines.length === 0;
  if (hasNone || !["trialing", "active", "past_due"].includes(status)) {
    throw invalid("No upcoming invoices for customer", undefined, "invoice_upcoming_none");
  }
  const [change] = params.subscription_details?.items ?? [];
  const price = change?.price === undefined ? item.price : requirePrice(account, change.price, "price");
  const start = isEnding ? cancel_at : item.current_period_end;
  const invoice = buildInvoice(account, subscription, {
    reason: "upcoming",
    lines: isEnding
      ? pendingLines
      : [...pendingLines, { ...lineOf(account, subscription, { price }), start }],
    id: newId("upcoming_in"),
    at: start,
  });
  return {
    ...invoice,
    next_payment_attempt: start,
    period_start: item.current_period_start,
    period_end: start,
  };
}

function liveOf(account: Account, customer: string): Stripe.Subscription | undefined {
  return Object.values(account.state.subscriptions).find(
    (each) => each.customer === customer && ["trialing", "active", "past_due"].includes(each.status),
  );
}
