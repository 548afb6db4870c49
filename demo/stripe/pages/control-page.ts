import type Stripe from "stripe";
import { formatMoney } from "#app/domain/billing/rules/format-money.ts";
import { button, clockPart, deliveriesPart, eventCard, press } from "../../stand-in/control-parts.ts";
import { day, html, type Markup } from "../../stand-in/html.ts";
import { type PageAnswer, shows } from "../../stand-in/page.ts";
import type { Account } from "../state/account.ts";
import { isOnItsWay } from "../subscriptions/transfers.ts";
import type { StripePageRoute, Visit } from "./page-route.ts";

const PAUSES = [
  { behavior: "void", title: "Pause payments" },
  { behavior: "keep_as_draft", title: "Pause payments, keep drafts" },
  { behavior: "mark_uncollectible", title: "Pause payments, write off invoices" },
] as const;
const NEWEST = 30;

export const controlPages: StripePageRoute[] = [
  { method: "GET", path: "/", run: (visit) => controlPage(visit) },
  { method: "POST", path: "/", run: submit },
];

function submit(visit: Visit): PageAnswer {
  const { control, form } = visit;
  const own = (intent: string, value: string, choice: string) => {
    if (intent === "fail") control.failNextPayment(value);
    else if (intent === "dispute") control.dispute(value);
    else if (intent === "refund") control.refund(value);
    else if (intent === "pause") control.pauseCollection(value, PAUSES[Number(choice)]?.behavior ?? null);
    else if (intent === "arrived") control.completeTransfer(value, "paid");
    else if (intent === "bounced") control.completeTransfer(value, "failed");
  };
  return press(form, { control, own, showAgain: (problem) => controlPage(visit, problem) });
}

function controlPage(visit: Visit, problem?: string): PageAnswer {
  const { control } = visit;
  return shows(
    "Stand-in for Stripe",
    html`<h1>Stand-in for Stripe</h1>
${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
<form method="post">
${clockPart(control)}
${deliveriesPart(control)}
<h2>Subscriptions</h2>
${subscriptions(visit)}
<h2>Newest events</h2>
${events(visit)}
</form>`,
    problem === undefined ? 200 : 400,
  );
}

function subscriptions({ account }: Visit): Markup {
  const all = Object.values(account.state.subscriptions).toReversed();
  if (all.length === 0) return html`<p>There are none yet.</p>`;
  return html`${all.map((subscription) => subscriptionCard(account, subscription))}`;
}

function subscriptionCard(account: Account, subscription: Stripe.Subscription): Markup {
  const { id, status, currency, cancel_at_period_end, pause_collection: pause } = subscription;
  const [item] = subscription.items.data;
  const email = account.state.customers[String(subscription.customer)]?.email ?? "deleted customer";
  const words = pause ? `${status}, payments paused` : status.replaceAll("_", " ");
  return html`<section class="card"><p><strong>${email}</strong> – ${words}</p>
<p>${formatMoney(item?.price.unit_amount ?? 0, currency)}, ${cancel_at_period_end ? "ends" : "period to"} ${day(item?.current_period_end ?? 0)}</p>
<p>${id}</p>
${button(`fail ${id}`, "Fail the next payment")}${button(`dispute ${id}`, "Dispute")}${button(`refund ${id}`, "Refund")}${
  pause
    ? button(`pause ${id} none`, "Resume payments")
    : html`${PAUSES.map(({ title }, index) => button(`pause ${id} ${index}`, title))}`
}${
  isOnItsWay(account, id) &&
  html`${button(`arrived ${id}`, "The bank's money arrives")}${button(`bounced ${id}`, "The bank returns the money")}`
}</section>
`;
}

function events({ account }: Visit): Markup {
  const newest = Object.values(account.state.events).slice(-NEWEST).toReversed();
  return html`${newest.map(({ id, type, created, pending_webhooks }) =>
    eventCard({ id, type, at: created, isDone: pending_webhooks === 0 }),
  )}`;
}
