import { html } from "../stand-in/html.ts";
import { type PageAnswer, seeOther, shows } from "../stand-in/page.ts";
import type { BtcpayPageRoute, Visit } from "./control.ts";
import { dueAmount, receive } from "./invoice-life.ts";
import type { Invoice } from "./state.ts";

const TITLES = {
  New: "Pay with Bitcoin",
  Processing: "The payment is on its way",
  Settled: "This invoice is paid",
  Expired: "This invoice has expired",
  Invalid: "This invoice is not valid",
};
const METHODS = [
  { method: "BTC-LN", title: "Lightning – settled at once" },
  { method: "BTC-CHAIN", title: "On the chain – settled with the next block, in ten minutes" },
] as const;

export const checkoutPages: BtcpayPageRoute[] = [
  { method: "GET", path: "/i/:id", run: ({ account, id }) => checkoutPage(account.invoice(id)) },
  { method: "POST", path: "/i/:id", run: submit },
];

function submit({ account, id, form }: Visit): PageAnswer {
  const invoice = account.invoice(id);
  if (invoice.status === "New") {
    const method = form.get("method") === "BTC-CHAIN" ? "BTC-CHAIN" : "BTC-LN";
    receive(account, invoice, { value: dueAmount(invoice), method });
  }
  const isPaid = invoice.status === "Processing" || invoice.status === "Settled";
  const link = returnLink(invoice);
  return isPaid && link !== null && invoice.checkout.redirectAutomatically
    ? seeOther(link)
    : checkoutPage(invoice);
}

function checkoutPage(invoice: Invoice): PageAnswer {
  const { amount, currency, status } = invoice;
  const link = returnLink(invoice);
  return shows(
    TITLES[status],
    html`<h1>${TITLES[status]}</h1>
<p>${amount} ${currency}</p>
${
  status === "New" &&
  html`<form method="post"><p>Due: ${dueAmount(invoice)} ${currency}</p>
<fieldset><legend>Wallet</legend>
${METHODS.map(
  ({ method, title }, index) => html`<label><input type="radio" name="method" value="${method}"${
    index === 0 && html` checked`
  }> ${title}</label>
`,
)}</fieldset>
<p><button class="main">Pay</button></p></form>`
}
${link !== null && html`<p><a href="${link}">Return to the store</a></p>`}`,
  );
}

function returnLink({ id, metadata, checkout }: Invoice): string | null {
  const orderId = metadata.orderId ?? "";
  return checkout.redirectURL?.replaceAll("{InvoiceId}", id).replaceAll("{OrderId}", orderId) ?? null;
}
