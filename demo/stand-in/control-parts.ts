import { DAY_SECONDS } from "./clock.ts";
import type { SharedControl } from "./control.ts";
import { day, html, type Markup } from "./html.ts";
import { type PageAnswer, seeOther } from "./page.ts";
import { Problem } from "./problem.ts";

const STEPS = [
  { days: 1, title: "1 day" },
  { days: 7, title: "1 week" },
  { days: 31, title: "1 month" },
];
const MODES = [
  { mode: "deliver", title: "Deliver", repeat: 1, forgedShare: 0 },
  { mode: "deliver", title: "Deliver each three times", repeat: 3, forgedShare: 0 },
  { mode: "hold", title: "Hold back", repeat: 1, forgedShare: 0 },
  { mode: "drop", title: "Lose", repeat: 1, forgedShare: 0 },
  { mode: "deliver", title: null, repeat: 1, forgedShare: 1 },
] as const;

/** Does what a button of a control page asks, and shows the page again with what went wrong. */
export function press<E>(
  form: URLSearchParams,
  {
    control,
    own,
    showAgain,
  }: {
    control: SharedControl<E>;
    /** The provider's own buttons. */
    own: (intent: string, value: string, choice: string) => void;
    showAgain: (problem: string) => PageAnswer;
  },
): PageAnswer {
  const [intent = "", value = "", choice = ""] = (form.get("intent") ?? "").split(" ");
  try {
    if (intent === "advance") void control.advance(Number(value) * DAY_SECONDS);
    else if (intent === "webhooks") control.webhooks(MODES[Number(value)] ?? {});
    else if (intent === "flush") control.flush(value === "reversed" ? { order: newestFirst(control) } : {});
    else if (intent === "resend") control.resend(value);
    else own(intent, value, choice);
  } catch (error) {
    if (error instanceof Problem) return showAgain(error.message);
    throw error;
  }
  return seeOther("/");
}

export function clockPart<E>(control: SharedControl<E>): Markup {
  return html`<h2>Clock</h2>
<p>Today is ${day(control.now())} here.</p>
<p>${STEPS.map(({ days, title }) => button(`advance ${days}`, `Forward ${title}`))}</p>`;
}

/** A forged event is signed wrongly, unless the provider signs nothing. */
export function deliveriesPart<E>(control: SharedControl<E>, forged = "Sign wrongly"): Markup {
  const now = control.webhookMode();
  const titleOf = ({ mode, title, repeat, forgedShare }: (typeof MODES)[number]) => {
    const isChosen = mode === now.mode && repeat === now.repeat && forgedShare === now.forgedShare;
    return `${isChosen ? "✓ " : ""}${title ?? forged}`;
  };
  const held = control.heldBack().length;
  return html`<h2>Events to the site</h2>
<p>${MODES.map((one, index) => button(`webhooks ${index}`, titleOf(one)))}${
    held > 0 &&
    html`${button("flush", `Send ${held} held events`)}${button("flush reversed", "Send them newest first")}`
  }</p>`;
}

export function eventCard(event: { id: string; type: string; at: number; isDone: boolean }): Markup {
  const { id, type, at, isDone } = event;
  return html`<section class="card"><p><strong>${type}</strong></p>
<p>${day(at)}, ${isDone ? "done" : "not delivered"} – ${id}</p>
${button(`resend ${id}`, "Send again")}</section>
`;
}

export function button(intent: string, title: string): Markup {
  return html`<button name="intent" value="${intent}">${title}</button>`;
}

function newestFirst<E>(control: SharedControl<E>): number[] {
  return control.heldBack().map((_, index, all) => all.length - 1 - index);
}
