import { billingMail, type LetterFacts, LetterLines } from "./billing-mail.tsx";

interface PlanChange {
  /** "Membership, $14.99 a month" */
  before: string;
  /** "21 November 2026" */
  since: string;
  /** "$119.00 on 21 November 2027"; null when nothing more is charged. */
  nextCharge: string | null;
}

/** A running subscription costs something else, whoever has changed that. */
export function planChangedMail(facts: LetterFacts, { before, since, nextCharge }: PlanChange) {
  const next: [string, string][] = nextCharge === null ? [] : [["Next charge", nextCharge]];
  const children = (
    <>
      <p>The price of your subscription has changed.</p>
      <LetterLines
        lines={[["Before", before], ["Now", `${facts.planName}, ${facts.price}`], ["Since", since], ...next]}
      />
      <p>
        {nextCharge === null
          ? "It is cancelled, so it ends by itself and nothing more is charged at this price."
          : "It renews at this price until you cancel it. If you do not want that, or did not ask for it, you can cancel at any time, in your account or by the link below: what you have paid for stays open until its end."}
      </p>
    </>
  );
  return billingMail(facts, {
    kind: "billing-plan-changed",
    subject: "The price of your subscription has changed",
    isOver: nextCharge === null,
    children,
  });
}
