import { html, type Markup } from "../stand-in/html.ts";
import { type PageAnswer, seeOther, shows } from "../stand-in/page.ts";
import { ASKS_BUYER, CARDS, DECLINED, isCard } from "./cards.ts";
import type { CcbillPageRoute, Visit } from "./control.ts";
import { type Order, readOrder, termsOf } from "./order.ts";
import { decline, filled, sell } from "./sale.ts";

const MAX_DECLINES = 3;
const FIELDS = [
  { name: "customer_fname", title: "First name" },
  { name: "customer_lname", title: "Last name" },
  { name: "email", title: "Email" },
  { name: "zipcode", title: "Postal code" },
];

export const paymentPages: CcbillPageRoute[] = [
  { method: "GET", path: "/wap-frontflex/flexforms/:id", run: (visit) => paymentPage(visit) },
  { method: "POST", path: "/wap-frontflex/flexforms/:id", run: submit },
];

/** A link has no state, so that paying it again buys again. */
function submit(visit: Visit): PageAnswer {
  const { account, link, form } = visit;
  const order = orderOf(visit);
  const last4 = form.get("card") ?? "";
  if (!isCard(last4)) return paymentPage(visit, { problem: "Choose a card." });
  if (last4 === ASKS_BUYER && form.get("is_authenticated") !== "yes") return bankPage(form);
  const purchase = { order, link, form, last4 };
  if (last4 !== DECLINED) {
    sell(account, purchase);
    return seeOther(filled(account.settings.approvalUrl, link));
  }
  decline(account, purchase);
  const declines = Number(form.get("declines")) + 1;
  if (declines >= MAX_DECLINES) return seeOther(filled(account.settings.denialUrl, link));
  return paymentPage(visit, { problem: "Your card was declined. Try another one.", declines });
}

function paymentPage(
  visit: Visit,
  { problem, declines = 0 }: { problem?: string; declines?: number } = {},
): PageAnswer {
  const order = orderOf(visit);
  return shows(
    "Payment",
    html`<h1>Subscribe</h1>
${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
<p>${termsOf(order)}</p>
<form method="post"><input type="hidden" name="declines" value="${declines}">
${FIELDS.map(({ name, title }) => field(name, title, visit))}
<fieldset><legend>Card</legend>
${CARDS.map(
  ({ last4, title }, index) => html`<label><input type="radio" name="card" value="${last4}"${
    index === 0 && html` checked`
  }> Visa •••• ${last4} – ${title}</label>
`,
)}</fieldset>
<p><button class="main">Pay</button></p>
</form>`,
  );
}

function field(name: string, title: string, { link, form }: Visit): Markup {
  const value = form.get(name) ?? link.get(name) ?? "";
  return html`<p><label>${title} <input type="text" name="${name}" value="${value}"></label></p>
`;
}

/** Stands in for the page of the buyer's bank. */
function bankPage(form: URLSearchParams): PageAnswer {
  return shows(
    "Your bank asks",
    html`<h1>Your bank asks whether this is really you</h1>
<form method="post">
${[...form].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="main" name="is_authenticated" value="yes">Yes, continue</button>
</form>`,
  );
}

function orderOf({ account, id, link }: Visit): Order {
  return readOrder(link, id, account.settings);
}
