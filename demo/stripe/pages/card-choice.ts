import { html, type Markup } from "../../stand-in/html.ts";
import { CARDS } from "../payments/cards.ts";

/** The form's value for a bank account, in place of a card's number. */
export const BANK = "bank";

export function cardChoice({
  mayLeaveOut = false,
  mayBeBank = false,
}: {
  mayLeaveOut?: boolean;
  mayBeBank?: boolean;
} = {}): Markup {
  return html`<fieldset><legend>Card</legend>
${CARDS.map(
  ({ last4, title }, index) => html`<label><input type="radio" name="card" value="${last4}"${
    index === 0 && html` checked`
  }> Visa •••• ${last4} – ${title}</label>
`,
)}${
  mayBeBank &&
  html`<label><input type="radio" name="card" value="${BANK}"> Bank debit – the money takes three days</label>`
}${mayLeaveOut && html`<label><input type="radio" name="card" value="none"> No card for now</label>`}</fieldset>`;
}
