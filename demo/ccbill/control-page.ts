import { button, clockPart, deliveriesPart, eventCard, press } from "../stand-in/control-parts.ts";
import { day, html, type Markup } from "../stand-in/html.ts";
import { type PageAnswer, shows } from "../stand-in/page.ts";
import { ACTIONS, type ActionName, type CcbillPageRoute, type Visit } from "./control.ts";
import { termsOf } from "./order.ts";
import type { Subscription } from "./state.ts";
import { emailOf, statusOf } from "./subscription-life.ts";

const STATUSES = ["over", "does not renew", "active"];
const FORMATS = [
  { format: "json", title: "JSON" },
  { format: "form", title: "Form" },
] as const;
const FAILURES = [
  { code: -7, afterEffect: false, title: "Error −7, not done" },
  { code: -7, afterEffect: true, title: "Error −7, but done" },
  { code: -8, afterEffect: false, title: "Address not allowed, −8" },
];
const DATA_LINK = "/utils/";
const NEWEST = 30;

export const controlPages: CcbillPageRoute[] = [
  { method: "GET", path: "/", run: (visit) => controlPage(visit) },
  { method: "POST", path: "/", run: submit },
];

function submit(visit: Visit): PageAnswer {
  const { control, form } = visit;
  const own = (intent: string, value: string) => {
    const failure = FAILURES[Number(value)];
    if (Object.hasOwn(ACTIONS, intent)) control.act(intent as ActionName, value);
    else if (intent === "write") control.write(value === "form" ? "form" : "json");
    else if (intent === "refuse" && failure) control.failNext({ ...failure, pathIncludes: DATA_LINK });
  };
  return press(form, { control, own, showAgain: (problem) => controlPage(visit, problem) });
}

function controlPage({ account, control }: Visit, problem?: string): PageAnswer {
  const subscriptions = Object.values(account.state.subscriptions).toReversed();
  const events = Object.values(account.state.events).slice(-NEWEST).toReversed();
  return shows(
    "Stand-in for CCBill",
    html`<h1>Stand-in for CCBill</h1>
${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
<form method="post">
${clockPart(control)}
${deliveriesPart(control, "From a foreign address")}
<p>${FORMATS.map(({ format, title }) =>
      button(`write ${format}`, format === account.state.format ? `✓ ${title}` : title),
    )}</p>
<h2>The next DataLink answer</h2>
<p>${FAILURES.map(({ title }, index) => button(`refuse ${index}`, title))}</p>
<h2>Subscriptions</h2>
${subscriptions.length === 0 ? html`<p>There are none yet.</p>` : subscriptions.map(subscriptionCard)}
<h2>Newest events</h2>
${events.map(eventCard)}
</form>`,
    problem === undefined ? 200 : 400,
  );
}

function subscriptionCard(subscription: Subscription): Markup {
  const { id, order, paidUntil, retryAt } = subscription;
  return html`<section class="card"><p><strong>${emailOf(subscription) || "No email entered"}</strong> – ${STATUSES[statusOf(subscription)]}</p>
<p>${termsOf(order)}, paid to ${day(paidUntil)}${retryAt !== null && `, tried again on ${day(retryAt)}`}</p>
<p>${id}</p>
${Object.entries(ACTIONS).map(([name, { title }]) => button(`${name} ${id}`, title))}</section>
`;
}
