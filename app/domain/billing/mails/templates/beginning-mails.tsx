import {
  billingMail,
  type MailContext,
  MailLines,
  PurchaseTermsText,
  WithdrawalLine,
} from "./billing-mail.tsx";

interface Beginning {
  terms: string | null;
  nextCharge: string;
  trial: { days: number; endsOn: string; isShort: boolean } | null;
}

export function begunMail(facts: MailContext, { terms, nextCharge, trial }: Beginning) {
  const subject = trial ? `Your trial has begun and ends on ${trial.endsOn}` : "Your subscription has begun";
  return billingMail(
    facts,
    { kind: "billing-begun", subject },
    <>
      {trial ? (
        <p>
          Your trial of {trial.days} {trial.days === 1 ? "day" : "days"} has begun. It costs nothing until{" "}
          {trial.endsOn}.
        </p>
      ) : (
        <p>Your subscription has begun.</p>
      )}
      <MailLines
        lines={{
          Plan: facts.planName,
          [trial ? "Price after the trial" : "Price"]: facts.price,
          [trial ? "First charge" : "Next charge"]: nextCharge,
        }}
      />
      <p>
        {trial
          ? `The subscription begins on ${trial.endsOn} by itself, and renews for the same period until you cancel it. Cancel before that day and nothing is charged`
          : "It renews for the same period until you cancel it"}
        . You can cancel at any time, in your account or by the link below.
      </p>
      {trial?.isShort ? <p>No other reminder comes before {trial.endsOn}.</p> : null}
      <PurchaseTermsText text={terms} />
      <WithdrawalLine withdrawal={facts.withdrawal} />
    </>,
  );
}

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
