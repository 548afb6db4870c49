import type Stripe from "stripe";
import { formatMoney } from "#app/domain/billing/rules/format-money.ts";
import { day, html, type Markup } from "../../stand-in/html.ts";
import { type PageAnswer, seeOther, shows } from "../../stand-in/page.ts";
import { completeSession } from "../api/complete-session.ts";
import { usablePromotion } from "../invoices/discounts.ts";
import { priceSession, trialEndOf } from "../invoices/price-session.ts";
import { isLast4 } from "../payments/cards.ts";
import { type Account, required } from "../state/account.ts";
import { Fault } from "../state/fault.ts";
import { BANK, cardChoice } from "./card-choice.ts";
import type { StripePageRoute, Visit } from "./page-route.ts";

export const checkoutPages: StripePageRoute[] = [
  { method: "GET", path: "/c/pay/:id", run: (visit) => checkoutPage(visit.account, sessionOf(visit)) },
  { method: "POST", path: "/c/pay/:id", run: submit },
];

function submit(visit: Visit): PageAnswer {
  const { account, form } = visit;
  const session = sessionOf(visit);
  // The buyer pressed the button twice or used the back button.
  if (session.status === "complete") return seeOther(successUrl(session));
  if (session.status !== "open") return checkoutPage(account, session);
  try {
    const code = form.get("promotion_code")?.trim() ?? "";
    if (code !== "") takePromotion(account, session, code);
    if (form.get("intent") === "promotion") return seeOther(`/c/pay/${session.id}`);
    const card = form.get("card") ?? "";
    if (card === "3184" && form.get("is_authenticated") !== "yes") return authenticationPage(session, form);
    const isLeftOut = card === "none" && session.payment_method_collection === "if_required";
    const paidWith = isLast4(card) || card === BANK ? card : null;
    if (!isLeftOut && paidWith === null) return checkoutPage(account, session, "Choose a card.");
    const fault = completeSession(account, session, {
      paidWith,
      email: form.get("email") ?? "",
    });
    return fault ? checkoutPage(account, session, fault.message) : seeOther(successUrl(session));
  } catch (error) {
    if (error instanceof Fault) return checkoutPage(account, session, error.message);
    throw error;
  }
}

function takePromotion(account: Account, session: Stripe.Checkout.Session, code: string): void {
  const purchase = account.state.purchases[session.id];
  if (!session.allow_promotion_codes || !purchase) return;
  purchase.promotionCode = usablePromotion(account, code).id;
  priceSession(account, session);
  account.changed();
}

function checkoutPage(account: Account, session: Stripe.Checkout.Session, problem?: string): PageAnswer {
  if (session.status !== "open") return closedPage(session);
  const email = session.customer_email ?? account.state.customers[String(session.customer)]?.email;
  return shows(
    "Checkout",
    html`<h1>Subscribe</h1>
${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
${sums(account, session)}
<form method="post">
${email ? html`<p>Email: ${email}</p>` : html`<label>Email <input type="email" name="email" required></label>`}
${cardChoice({ mayLeaveOut: session.payment_method_collection === "if_required", mayBeBank: true })}
${session.allow_promotion_codes && promotionField(account, session)}
<p><button class="main" name="intent" value="pay">${
      session.amount_total === 0
        ? "Start"
        : `Pay ${formatMoney(session.amount_total ?? 0, session.currency ?? "usd")}`
    }</button></p>
</form>
${session.cancel_url !== null && html`<p><a href="${session.cancel_url}">Back without subscribing</a></p>`}`,
    problem === undefined ? 200 : 402,
  );
}

function sums(account: Account, session: Stripe.Checkout.Session): Markup {
  const [line] = account.state.purchases[session.id]?.lines ?? [];
  const currency = session.currency ?? "usd";
  const trialEnd = trialEndOf(account, session);
  const { interval = "month", interval_count: count = 1 } = line?.price?.recurring ?? {};
  return html`<table>
<tr><th scope="row">${line?.description ?? "Subscription"}</th>
<td>${formatMoney(line?.amount_subtotal ?? 0, currency)} every ${count > 1 ? `${count} ${interval}s` : interval}</td></tr>
${trialEnd !== null && html`<tr><th scope="row">Free trial</th><td>until ${day(trialEnd)}</td></tr>`}
${
  Boolean(session.total_details?.amount_discount) &&
  html`<tr><th scope="row">Discount</th><td>−${formatMoney(session.total_details?.amount_discount ?? 0, currency)}</td></tr>`
}
${
  Boolean(session.total_details?.amount_tax) &&
  html`<tr><th scope="row">Tax</th><td>${formatMoney(session.total_details?.amount_tax ?? 0, currency)}</td></tr>`
}
<tr><th scope="row">Due today</th><td>${formatMoney(session.amount_total ?? 0, currency)}</td></tr>
</table>`;
}

function promotionField(account: Account, session: Stripe.Checkout.Session): Markup {
  const used = account.state.promotionCodes[account.state.purchases[session.id]?.promotionCode ?? ""];
  return html`<p><label>Promotion code <input type="text" name="promotion_code" value="${used?.code ?? ""}"
autocomplete="off"></label> <button name="intent" value="promotion">Apply</button>${used && " Applied."}</p>`;
}

/** Stands in for the page of the buyer's bank. */
function authenticationPage(session: Stripe.Checkout.Session, form: URLSearchParams): PageAnswer {
  return shows(
    "Your bank asks",
    html`<h1>Your bank asks whether this is really you</h1>
<form method="post" action="/c/pay/${session.id}">
<input type="hidden" name="card" value="3184"><input type="hidden" name="email" value="${form.get("email")}">
<button class="main" name="is_authenticated" value="yes">Yes, continue</button>
</form>
<p><a href="/c/pay/${session.id}">No, choose another card</a></p>`,
  );
}

function closedPage(session: Stripe.Checkout.Session): PageAnswer {
  const link = session.status === "complete" ? successUrl(session) : session.cancel_url;
  return shows(
    "Checkout",
    html`<h1>${session.status === "complete" ? "This has already been paid" : "This page has expired"}</h1>
${link !== null && html`<p><a href="${link}">Back to the site</a></p>`}`,
    session.status === "complete" ? 200 : 410,
  );
}

function successUrl(session: Stripe.Checkout.Session): string {
  return (session.success_url ?? "/").replaceAll("{CHECKOUT_SESSION_ID}", session.id);
}

function sessionOf({ account, id }: Visit): Stripe.Checkout.Session {
  return required(account.state.sessions, "checkout.session", id);
}
