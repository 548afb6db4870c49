import { CARDS } from "../billing/cards.ts";
import { html, type Markup } from "./html.ts";

export function cardChoice({ mayLeaveOut = false }: { mayLeaveOut?: boolean } = {}): Markup {
  return html`<fieldset><legend>Card</legend>
${CARDS.map(
  ({ last4, title }, place) => html`<label><input type="radio" name="card" value="${last4}"${
    place === 0 && html` checked`
  }> Visa •••• ${last4} – ${title}</label>
`,
)}${mayLeaveOut && html`<label><input type="radio" name="card" value="none"> No card for now</label>`}</fieldset>`;
}
