import { MailButton } from "#app/domain/mail/mail-layout.tsx";
import {
  billingMail,
  type MailContext,
  MailLines,
  PurchaseTermsText,
  planOf,
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

export function planChangedMail(
  facts: MailContext,
  { before, since, nextCharge }: { before: string; since: string; nextCharge: string | null },
) {
  const subject = "The price of your subscription has changed";
  return billingMail(
    facts,
    { kind: "billing-plan-changed", subject, isOver: nextCharge === null },
    <>
      <p>The price of your subscription has changed.</p>
      <MailLines lines={{ Before: before, Now: planOf(facts), Since: since, "Next charge": nextCharge }} />
      <p>
        {nextCharge === null
          ? "It is cancelled, so it ends by itself and nothing more is charged at this price."
          : "It renews at this price until you cancel it. If you do not want that, or did not ask for it, you can cancel at any time, in your account or by the link below: what you have paid for stays open until its end."}
      </p>
    </>,
  );
}

export function cancelledMail(
  facts: MailContext,
  cancelled: { on: string; endsOn: string; isTrial: boolean; isOpen: boolean },
) {
  const { endsOn } = cancelled;
  return billingMail(
    facts,
    { kind: "billing-cancelled", subject: "Your cancellation is confirmed", isOver: true },
    <>
      <p>
        {cancelled.isTrial ? "Your trial is cancelled" : "Your subscription is cancelled"}. It
        {cancelled.isOpen ? ` stays open until ${endsOn} and ends then` : ` ends on ${endsOn}`}. Nothing more
        is charged.
      </p>
      <MailLines lines={{ Plan: planOf(facts), "Cancelled on": cancelled.on, "Ends on": endsOn }} />
      <p>Your favorites and your progress are kept. You can change your mind until it ends:</p>
      <MailButton href={facts.accountLink}>Keep my subscription</MailButton>
    </>,
  );
}

export function endedMail(facts: MailContext, { on }: { on: string }) {
  return billingMail(
    facts,
    { kind: "billing-ended", subject: "Your subscription has ended", isOver: true },
    <>
      <p>Your subscription ended on {on}. Nothing more is charged.</p>
      <MailLines lines={{ Plan: planOf(facts) }} />
      <p>
        Your account, your favorites and your progress are kept. You can subscribe again whenever you like:
      </p>
      <MailButton href={facts.subscribeLink}>Subscribe again</MailButton>
    </>,
  );
}

export function unbegunMail(
  facts: MailContext,
  ended: { on: string; isCancelled: boolean; isMoneyOnItsWay: boolean },
) {
  const subject = ended.isCancelled ? "Your cancellation is confirmed" : "Your subscription has not begun";
  return billingMail(
    facts,
    { kind: "billing-unbegun", subject, isOver: true },
    <>
      <p>
        {ended.isCancelled
          ? `Your subscription was cancelled on ${ended.on}, before its first payment was completed.`
          : "The first payment of your subscription was not completed in time, so it was given up."}{" "}
        It has not begun, and nothing more is charged.
      </p>
      <MailLines lines={{ Plan: planOf(facts) }} />
      {ended.isMoneyOnItsWay ? (
        <p>
          What your bank has sent already may still arrive. It buys nothing any more: write to us, at the
          address below, to have it paid back.
        </p>
      ) : (
        <p>Nothing was paid.</p>
      )}
      <p>Your account is kept. You can subscribe whenever you like:</p>
      <MailButton href={facts.subscribeLink}>See the plans</MailButton>
    </>,
  );
}

export function withdrawalMail(facts: MailContext, { at, terms }: { at: string; terms: string | null }) {
  return billingMail(
    facts,
    { kind: "billing-withdrawal", subject: "Your withdrawal is received", isOver: true },
    <>
      <p>
        We have received your withdrawal from the contract for your subscription. It ends at once, and nothing
        more is charged.
      </p>
      <MailLines lines={{ Plan: planOf(facts), "Received on": at }} />
      <p>
        Nothing is paid back by itself. We pay back what the law gives you, within 14 days and the way you
        have paid.
      </p>
      <PurchaseTermsText text={terms} />
    </>,
  );
}
