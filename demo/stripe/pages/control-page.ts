import type Stripe from "stripe";
import { formatMoney } from "#app/domain/billing/rules/format-money.ts";
import type { Account } from "../state/account.ts";
import { Fault } from "../state/fault.ts";
import { DAY_SECONDS } from "../state/periods.ts";
import { advanceTo } from "../subscriptions/clock.ts";
import { isOnItsWay } from "../subscriptions/transfers.ts";
import { day, html, type Markup } from "./html.ts";
import { type PageAnswer, type PageRoute, seeOther, shows, type Visit } from "./page-route.ts";

const STEPS = [
  { days: 1, title: "1 day" },
  { days: 7, title: "1 week" },
  { days: 31, title: "1 month" },
];
const MODES = [
  { mode: "deliver", title: "Deliver", repeat: 1 },
  { mode: "deliver", title: "Deliver each three times", repeat: 3 },
  { mode: "hold", title: "Hold back", repeat: 1 },
  { mode: "drop", title: "Lose", repeat: 1 },
] as const;
const PAUSES = [
  { behavior: "void", title: "Pause payments" },
  { behavior: "keep_as_draft", title: "Pause payments, keep drafts" },
  { behavior: "mark_uncollectible", title: "Pause payments, write off invoices" },
] as const;
const NEWEST = 30;

export const controlPages: PageRoute[] = [
  { method: "GET", path: "/", run: (visit) => controlPage(visit) },
  { method: "POST", path: "/", run: submit },
];

function submit(visit: Visit): PageAnswer {
  const { account, control, form } = visit;
  const [intent = "", value = "", choice] = (form.get("intent") ?? "").split(" ");
  try {
    if (intent === "advance") advanceTo(account, account.now() + Number(value) * DAY_SECONDS);
    else if (intent === "webhooks") control.webhooks(MODES[Number(value)] ?? {});
    else if (intent === "flush") control.flush();
    else if (intent === "resend") control.resend(value);
    else if (intent === "fail") control.failNextPayment(value);
    else if (intent === "dispute") control.dispute(value);
    else if (intent === "refund") control.refund(value);
    else if (intent === "pause") control.pauseCollection(value, PAUSES[Number(choice)]?.behavior ?? null);
    else if (intent === "arrived") control.completeTransfer(value, "paid");
    else if (intent === "bounced") control.completeTransfer(value, "failed");
  } catch (error) {
    if (error instanceof Fault) return controlPage(visit, error.message);
    throw error;
  }
  return seeOther("/");
}

function controlPage(visit: Visit, problem?: string): PageAnswer {
  const { account, control } = visit;
  const { mode, repeat } = control.webhookMode();
  const heldBack = control.heldBack().length;
  return shows(
    "Stand-in for Stripe",
    html`<h1>Stand-in for Stripe</h1>
${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
<form method="post">
<h2>Clock</h2>
<p>Today is ${day(account.now())} here.</p>
<p>${STEPS.map(({ days, title }) => button(`advance ${days}`, `Forward ${title}`))}</p>
<h2>Events to the site</h2>
<p>${MODES.map((each, index) =>
      button(
        `webhooks ${index}`,
        each.mode === mode && each.repeat === repeat ? `✓ ${each.title}` : each.title,
      ),
    )}${heldBack > 0 && button("flush", `Send ${heldBack} held events`)}</p>
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
  return html`${newest.map(
    (event) => html`<section class="card"><p><strong>${event.type}</strong></p>
<p>${day(event.created)}, ${event.pending_webhooks > 0 ? "not delivered" : "done"} – ${event.id}</p>
${button(`resend ${event.id}`, "Send again")}</section>
`,
  )}`;
}

function button(intent: string, title: string): Markup {
  return html`<button name="intent" value="${intent}">${title}</button>`;
}
