import { formatDate, formatMinute } from "#app/dates.ts";
import { isTrial } from "#app/domain/access/subscription-state.ts";
import { MailButton, MailLines } from "#app/domain/mail/mail-layout.tsx";
import { isLengthenedBy, type Seller } from "../../rules/blocks-purchase.ts";
import { formatPrice } from "../../rules/format-money.ts";
import { billingMail, subscribeLink } from "./billing-mail.tsx";
import {
  howToStopRenewal,
  type MailFacts,
  nextChargeOf,
  planOf,
  trialOf,
  untilEnd,
} from "./mail-facts.server.ts";
import { Again, DAY_BEFORE } from "./moving-mails.tsx";

export function trialEndingMail(facts: MailFacts) {
  const { trialEndWithoutCard: without } = facts.subscription;
  const { end } = trialOf(facts.subscription);
  const on = formatDate(end);
  const isFirst = isTrial(facts.subscription);
  const ends = `${isFirst ? "Your trial ends" : "Your free days end"} on ${on}`;
  return billingMail(
    facts,
    { kind: "billing-trial-ending", subject: ends },
    <>
      <p>
        {ends}.{" "}
        {without === null
          ? `Your subscription ${isFirst ? "starts" : "renews"} automatically on that day.`
          : `There is no payment method on file, so your subscription ${without === "pause" ? "is paused" : "ends"} on that day and you will not be charged.`}
      </p>
      <MailLines lines={planLines(facts, isFirst ? "First charge" : "Next charge", end)} />
      <p>
        {without === null
          ? `If you do not want it, cancel before ${formatMinute(end)} and you will not be charged.`
          : `To keep it, add a payment method in your account before ${formatMinute(end)}. Otherwise, you do not need to do anything.`}
      </p>
    </>,
  );
}

export function renewalMail(facts: MailFacts) {
  const { cancelAt, currentPeriodEnd } = facts.subscription;
  const on = formatDate(currentPeriodEnd);
  return billingMail(
    facts,
    { kind: "billing-renewal", subject: `Your subscription renews on ${on}` },
    <>
      <p>
        Your subscription renews on {on}
        {cancelAt !== null && `, and ends on ${formatDate(cancelAt)}`}. You do not need to do anything to keep
        it.
      </p>
      <MailLines lines={planLines(facts, "Next charge", currentPeriodEnd)} />
      <p>{howToStopRenewal(facts)}</p>
    </>,
  );
}

export function reminderMail(facts: MailFacts) {
  const { created, currentPeriodEnd } = facts.subscription;
  return billingMail(
    facts,
    { kind: "billing-reminder", subject: "Your yearly subscription reminder" },
    <>
      <p>This is your yearly reminder that you have been a subscriber since {formatDate(created)}.</p>
      <MailLines lines={planLines(facts, "Next charge", currentPeriodEnd)} />
      <p>
        Your subscription renews automatically {untilEnd(facts.subscription)}. You can cancel at any time. You
        do not need to do anything to keep it.
      </p>
    </>,
  );
}

/** For a period that was paid beforehand. */
export function periodEndingMail(facts: MailFacts, now: Date, seller: Seller) {
  const { currentPeriodEnd } = facts.subscription;
  const on = formatDate(currentPeriodEnd);
  return billingMail(
    facts,
    { kind: "billing-period-ending", subject: `Your subscription ends on ${on}` },
    <>
      <p>Your subscription ends on {on} and does not renew.</p>
      {isLengthenedBy(facts.subscription, seller) ? (
        <>
          <p>
            To keep your access without a gap, pay for another period before {formatMinute(currentPeriodEnd)}.
            You lose no time by paying early: it is added at the end.
          </p>
          <MailLines lines={{ Plan: planOf(facts) }} />
          <MailButton href={subscribeLink()}>Pay for the next period</MailButton>
        </>
      ) : (
        <Again facts={facts} now={now} until={DAY_BEFORE} />
      )}
      <p>If you do not want to go on, you do not need to do anything.</p>
    </>,
  );
}

function planLines(facts: MailFacts, label: string, chargedOn: Date) {
  return {
    Plan: facts.planName,
    Price: formatPrice(facts.price, facts.subscription),
    [label]: nextChargeOf(facts, chargedOn),
  };
}
