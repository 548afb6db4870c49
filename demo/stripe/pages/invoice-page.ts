import type Stripe from "stripe";
import { formatMoney } from "#app/domain/billing/rules/format-money.ts";
import { day, html } from "../../stand-in/html.ts";
import { type PageAnswer, seeOther, shows } from "../../stand-in/page.ts";
import { attachCard, isLast4, makeCard } from "../payments/cards.ts";
import { required } from "../state/account.ts";
import { idOf } from "../state/ids.ts";
import { payInvoice } from "../subscriptions/pay-invoice.ts";
import { cardChoice } from "./card-choice.ts";
import type { StripePageRoute, Visit } from "./page-route.ts";
import { makePdf } from "./pdf.ts";

export const invoicePages: StripePageRoute[] = [
  { method: "GET", path: "/i/:id", run: (visit) => invoicePage(visit) },
  { method: "POST", path: "/i/:id", run: pay },
  {
    method: "GET",
    path: "/i/:id/pdf",
    run: (visit) => ({ status: 200, body: makePdf(linesOf(invoiceOf(visit))) }),
  },
];

function pay(visit: Visit): PageAnswer {
  const { account, form } = visit;
  const invoice = invoiceOf(visit);
  if (invoice.status !== "open") return seeOther(`/i/${invoice.id}`);
  const last4 = form.get("card") ?? "";
  if (!isLast4(last4)) return invoicePage(visit, "Choose a card.");
  if (last4 === "3184" && form.get("is_authenticated") !== "yes") return authenticationPage(invoice);
  const customer = account.state.customers[idOf(invoice.customer) ?? ""];
  const method = makeCard(account, last4, invoice.customer_email);
  const fault = payInvoice(account, invoice, { isPresent: true, isScheduled: false, method });
  if (fault) return invoicePage(visit, fault.message);
  if (customer) {
    attachCard(account, method, customer.id);
    storeCard(visit, invoice, method.id);
  }
  return seeOther(`/i/${invoice.id}`);
}

/** The card that worked becomes the default for the next payment. */
function storeCard({ account }: Visit, invoice: Stripe.Invoice, method: string): void {
  const id = idOf(invoice.parent?.subscription_details?.subscription);
  const subscription = account.state.subscriptions[id ?? ""];
  if (!subscription || subscription.status === "canceled") return;
  account.change("customer.subscription.updated", subscription, () => {
    subscription.default_payment_method = method;
  });
}

function invoicePage(visit: Visit, problem?: string): PageAnswer {
  const invoice = invoiceOf(visit);
  return shows(
    `Invoice ${invoice.number}`,
    html`<h1>Invoice ${invoice.number}</h1>
${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
<table>
${invoice.lines.data.map(
  (line) => html`<tr><td>${line.description}</td><td>${day(line.period.start)} – ${day(line.period.end)}</td>
<td>${formatMoney(line.amount, line.currency)}</td></tr>
`,
)}${amountsOf(invoice).map(
  ([name, amount]) => html`<tr><th scope="row" colspan="2">${name}</th><td>${amount}</td></tr>
`,
)}</table>
<p>${invoice.status === "paid" ? "Paid" : `This invoice is ${invoice.status}.`}</p>
${
  invoice.status === "open" &&
  html`<form method="post">${cardChoice()}
<button class="main">Pay ${formatMoney(invoice.amount_remaining, invoice.currency)}</button></form>`
}
<p><a href="/i/${invoice.id}/pdf">As PDF</a></p>`,
    problem === undefined ? 200 : 402,
  );
}

function authenticationPage(invoice: Stripe.Invoice): PageAnswer {
  return shows(
    "Your bank asks",
    html`<h1>Your bank asks whether this is really you</h1>
<form method="post" action="/i/${invoice.id}"><input type="hidden" name="card" value="3184">
<button class="main" name="is_authenticated" value="yes">Yes, continue</button></form>
<p><a href="/i/${invoice.id}">No, choose another card</a></p>`,
  );
}

function linesOf(invoice: Stripe.Invoice): string[] {
  return [
    `Invoice ${invoice.number}`,
    `Date: ${day(invoice.created)}`,
    ...invoice.lines.data.map((line) => `${line.description}: ${formatMoney(line.amount, line.currency)}`),
    ...amountsOf(invoice).map(([name, amount]) => `${name}: ${amount}`),
    `This invoice is ${invoice.status}`,
    "Stand-in for Stripe: no money moves",
  ];
}

function amountsOf(invoice: Stripe.Invoice): [name: string, amount: string][] {
  const { currency, total, total_taxes, total_discount_amounts, amount_due } = invoice;
  const sumUp = (parts: { amount: number }[] | null) =>
    (parts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const sums: [string, number][] = [
    ["Discount", -sumUp(total_discount_amounts)],
    ["Tax", sumUp(total_taxes)],
    ["Total", total],
    ["Credit", amount_due - total],
    ["To pay", amount_due],
  ];
  return sums
    .filter(([name, amount]) => name === "Total" || (amount !== 0 && (name !== "To pay" || amount !== total)))
    .map(([name, amount]) => [name, formatMoney(amount, currency)]);
}

function invoiceOf({ account, id }: Visit): Stripe.Invoice {
  return required(account.state.invoices, "invoice", id);
}
