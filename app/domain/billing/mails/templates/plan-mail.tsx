import { billingMail, type MailContext, MailLines } from "./billing-mail.tsx";

interface PlanChange {
  before: string;
  since: string;
  nextCharge: string | null;
}

export function planChangedMail(facts: MailContext, { before, since, nextCharge }: PlanChange) {
  const next: [string, string][] = nextCharge === null ? [] : [["Next charge", nextCharge]];
  const children = (
    <>
      <p>The price of your subscription has changed.</p>
      <MailLines
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
