import type Stripe from "stripe";
import { formatMoney } from "#app/domain/billing/rules/format-money.ts";
import { day, html, type Markup } from "../../stand-in/html.ts";
import { type PageAnswer, seeOther, shows } from "../../stand-in/page.ts";
import { itemOf } from "../invoices/items.ts";
import { attachCard, isLast4, makeCard, refusal } from "../payments/cards.ts";
import { type Account, required } from "../state/account.ts";
import { cancelOn } from "../subscriptions/end-subscription.ts";
import { cardOf } from "../subscriptions/pay-invoice.ts";
import { cardChoice } from "./card-choice.ts";
import type { StripePageRoute, Visit } from "./page-route.ts";
import { changePlan, planChoice, planText } from "./plan-choice.ts";

const LIVE = ["trialing", "active", "past_due", "unpaid", "paused"];

export const portalPages: StripePageRoute[] = [
  { method: "GET", path: "/p/session/:id", run: (visit) => portalPage(visit) },
  { method: "POST", path: "/p/session/:id", run: submit },
];

function submit(visit: Visit): PageAnswer {
  const { account, form, id } = visit;
  const intent = form.get("intent");
  if (intent === "card") return changeCard(visit);
  const subscription = subscriptionsOf(visit).find((each) => each.id === form.get("subscription"));
  if (!subscription || !LIVE.includes(subscription.status)) {
    return portalPage(visit, "That subscription has ended.");
  }
  if (intent === "cancel") cancelOn(account, subscription, itemOf(subscription).current_period_end);
  if (intent === "undo") cancelOn(account, subscription, null);
  if (intent === "plan" && featuresOf(visit)?.subscription_update.enabled) {
    const problem = changePlan(account, subscription, form.get("price"));
    if (problem !== null) return portalPage(visit, problem);
  }
  return seeOther(`/p/session/${id}`);
}

/** Changes the default card of the customer and of their live subscriptions. */
function changeCard(visit: Visit): PageAnswer {
  const { account, form, id } = visit;
  const last4 = form.get("card") ?? "";
  if (!isLast4(last4)) return portalPage(visit, "Choose a card.");
  const fault = refusal(last4, { isPresent: true });
  if (fault) return portalPage(visit, fault.message);
  const customer = customerOf(visit);
  const method = makeCard(account, last4, customer.email);
  attachCard(account, method, customer.id);
  account.change("customer.updated", customer, () => {
    customer.invoice_settings.default_payment_method = method.id;
  });
  for (const subscription of subscriptionsOf(visit)) {
    if (!LIVE.includes(subscription.status)) continue;
    account.change("customer.subscription.updated", subscription, () => {
      subscription.default_payment_method = method.id;
    });
  }
  return seeOther(`/p/session/${id}`);
}

function portalPage(visit: Visit, problem?: string): PageAnswer {
  const session = sessionOf(visit);
  const features = featuresOf(visit);
  return shows(
    "Your subscription",
    html`<h1>Your subscription</h1>
${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
${subscriptionsOf(visit).map((each) => subscriptionCard(visit.account, each, features))}
${
  features?.payment_method_update.enabled &&
  html`<section id="payment_method_update"><h2>Change card</h2>
<form method="post">${cardChoice()}<button name="intent" value="card">Use this card</button></form></section>`
}
${features?.invoice_history.enabled && invoices(visit)}
${session.return_url !== null && html`<p><a href="${session.return_url}">Back to the site</a></p>`}`,
    problem === undefined ? 200 : 402,
  );
}

function subscriptionCard(
  account: Account,
  subscription: Stripe.Subscription,
  features: Stripe.BillingPortal.Configuration.Features | undefined,
): Markup {
  const item = itemOf(subscription);
  const card = cardOf(account, subscription)?.card;
  const end = day(item.current_period_end);
  const isLive = LIVE.includes(subscription.status);
  const [intent, words] =
    subscription.cancel_at !== null ? ["undo", "Do not cancel"] : ["cancel", `Cancel on ${end}`];
  return html`<section class="card" id="subscription_cancel">
<p><strong>${planText(item.price)}</strong> – ${subscription.status.replaceAll("_", " ")}</p>
<p>${card ? `Card: Visa •••• ${card.last4}` : "No card"}</p>
${isLive && html`<p>${subscription.cancel_at !== null ? "Ends" : "Renews"} on ${end}</p>`}
${features?.subscription_update.enabled && planChoice(account, subscription)}
${
  isLive &&
  features?.subscription_cancel.enabled &&
  html`<form method="post"><input type="hidden" name="subscription" value="${subscription.id}">
<button name="intent" value="${intent}">${words}</button></form>`
}</section>`;
}

function invoices(visit: Visit): Markup {
  const { id } = customerOf(visit);
  const all = Object.values(visit.account.state.invoices).filter(
    (invoice) => invoice.customer === id && invoice.hosted_invoice_url,
  );
  return html`<h2>Invoices</h2><table>
${all.toReversed().map(
  (
    invoice,
  ) => html`<tr><td>${day(invoice.created)}</td><td>${formatMoney(invoice.total, invoice.currency)}</td>
<td>${invoice.status}</td><td><a href="/i/${invoice.id}">${invoice.status === "open" ? "Pay" : "Open"}</a></td></tr>
`,
)}</table>`;
}

function subscriptionsOf(visit: Visit): Stripe.Subscription[] {
  const { id } = customerOf(visit);
  return Object.values(visit.account.state.subscriptions).filter(({ customer }) => customer === id);
}

function customerOf(visit: Visit): Stripe.Customer {
  return required(visit.account.state.customers, "customer", sessionOf(visit).customer);
}

function featuresOf(visit: Visit): Stripe.BillingPortal.Configuration.Features | undefined {
  return visit.account.state.portalConfigurations[String(sessionOf(visit).configuration)]?.features;
}

function sessionOf({ account, id }: Visit): Stripe.BillingPortal.Session {
  return required(account.state.portalSessions, "billing_portal.session", id);
}
