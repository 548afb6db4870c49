import { button, clockPart, deliveriesPart, eventCard, press } from "../stand-in/control-parts.ts";
import { html, type Markup } from "../stand-in/html.ts";
import { type PageAnswer, shows } from "../stand-in/page.ts";
import { ACTIONS, type ActionName, type BtcpayPageRoute, type Visit } from "./control.ts";
import type { Invoice } from "./state.ts";

const NEWEST = 30;

export const controlPages: BtcpayPageRoute[] = [
  { method: "GET", path: "/", run: (visit) => controlPage(visit) },
  { method: "POST", path: "/", run: submit },
];

function submit(visit: Visit): PageAnswer {
  const { control, form } = visit;
  const own = (intent: string, value: string) => {
    if (Object.hasOwn(ACTIONS, intent)) control.act(intent as ActionName, value);
  };
  return press(form, { control, own, showAgain: (problem) => controlPage(visit, problem) });
}

function controlPage({ account, control }: Visit, problem?: string): PageAnswer {
  const invoices = Object.values(account.state.invoices).slice(-NEWEST).toReversed();
  const deliveries = Object.values(account.state.deliveries).slice(-NEWEST).toReversed();
  return shows(
    "Stand-in for BTCPay Server",
    html`<h1>Stand-in for BTCPay Server</h1>
${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
<form method="post">
${clockPart(control)}
${deliveriesPart(control)}
<h2>Invoices</h2>
${invoices.length === 0 ? html`<p>There are none yet.</p>` : invoices.map(invoiceCard)}
<h2>Newest events</h2>
${deliveries.map(({ id, type, at, state }) => eventCard({ id, type, at, isDone: state === "done" }))}
</form>`,
    problem === undefined ? 200 : 400,
  );
}

function invoiceCard({ id, amount, currency, status, additionalStatus, metadata }: Invoice): Markup {
  const more = additionalStatus === "None" ? "" : `, ${additionalStatus}`;
  return html`<section class="card"><p><strong>${amount} ${currency}</strong> – ${status}${more}</p>
<p>${metadata.buyerEmail} ${id}</p>
${Object.entries(ACTIONS).map(([name, { title }]) => button(`${name} ${id}`, title))}</section>
`;
}
