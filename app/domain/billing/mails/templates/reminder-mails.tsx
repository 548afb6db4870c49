import { billingMail, type MailContext, MailLines } from "./billing-mail.tsx";

export function trialEndingMail(facts: MailContext, { on, nextCharge }: { on: string; nextCharge: string }) {
  return billingMail(
    facts,
    { kind: "billing-trial-ending", subject: `Your trial ends on ${on}` },
    <>
      <p>Your trial ends on {on}. The subscription begins on that day by itself.</p>
      <MailLines lines={{ Plan: facts.planName, Price: facts.price, "First charge": nextCharge }} />
      <p>If you do not want it, cancel before {on} and nothing is charged.</p>
    </>,
  );
}

export function renewalMail(facts: MailContext, { on, nextCharge }: { on: string; nextCharge: string }) {
  return billingMail(
    facts,
    { kind: "billing-renewal", subject: `Your subscription renews on ${on}` },
    <>
      <p>Your subscription renews on {on}. There is nothing to do if you want to keep it.</p>
      <MailLines lines={{ Plan: facts.planName, Price: facts.price, "Next charge": nextCharge }} />
      <p>If you do not want it any more, cancel before {on} and nothing more is charged.</p>
    </>,
  );
}

export function reminderMail(
  facts: MailContext,
  { begunOn, nextCharge }: { begunOn: string; nextCharge: string },
) {
  return billingMail(
    facts,
    { kind: "billing-reminder", subject: "Your subscription, once a year" },
    <>
      <p>Once a year we remind you of what runs: you have been subscribed since {begunOn}.</p>
      <MailLines lines={{ Plan: facts.planName, Price: facts.price, "Next charge": nextCharge }} />
      <p>
        It renews until you cancel it, which you can do at any time. There is nothing to do if you want to
        keep it.
      </p>
    </>,
  );
}
