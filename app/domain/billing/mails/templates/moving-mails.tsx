import { formatDate, formatMinute } from "#app/dates.ts";
import { endOf, isTrial } from "#app/domain/access/subscription-state.ts";
import { MailButton, MailLines } from "#app/domain/mail/mail-layout.tsx";
import { soldAgainFrom } from "../../rules/blocks-purchase.ts";
import { MOVED, overlapSentence } from "../../rules/subscription-sentence.ts";
import { billingMail, subscribeLink } from "./billing-mail.tsx";
import { lastChargeOf, type MailFacts, planOf } from "./mail-facts.server.ts";

/** The site has ended the renewal: see isMoved(). */
export function movedMail(facts: MailFacts, now: Date) {
  const { what, on } = endingOf(facts);
  return billingMail(
    facts,
    { kind: "billing-moved", subject: `Your ${what} ends on ${on}` },
    <>
      <p>
        Your {what} does not renew, {MOVED} You keep your access until {on}. {lastChargeOf(facts)}
      </p>
      <Again
        facts={facts}
        now={now}
        until="We will email you again before it ends. Until then, you do not need to do anything."
      />
    </>,
  );
}

/** A week and a day before the end of a subscription that its member has not canceled. */
export function endingMail(facts: MailFacts, now: Date) {
  const { what, on, isUnknown } = endingOf(facts);
  return billingMail(
    facts,
    { kind: "billing-ending", subject: `Your ${what} ends on ${on}` },
    <>
      <p>
        Your {what} ends on {on}.{" "}
        {isUnknown
          ? "It does not continue here, because it was bought through a payment account that this site no longer uses."
          : `It does not renew, ${MOVED} ${lastChargeOf(facts)}`}
      </p>
      <Again facts={facts} now={now} until={DAY_BEFORE} />
    </>,
  );
}

export const DAY_BEFORE = "We will email you again the day before it ends.";

function endingOf({ subscription }: MailFacts) {
  const what = isTrial(subscription) ? "trial" : "subscription";
  return { what, on: formatDate(endOf(subscription)), isUnknown: subscription.unknownSince !== null };
}

/** How to go on where a new subscription begins at its purchase: with a button, or from which moment. */
export function Again({ facts, now, until }: { facts: MailFacts; now: Date; until: string }) {
  const { subscription } = facts;
  const from = soldAgainFrom(subscription);
  const isSold = subscription.unknownSince !== null || from <= now;
  return (
    <>
      <MailLines lines={{ Plan: planOf(facts), "Access until": formatMinute(endOf(subscription)) }} />
      {isSold ? (
        <>
          <p>To keep your access, subscribe again before then. {overlapSentence(subscription)}</p>
          <MailButton href={subscribeLink()}>Subscribe again</MailButton>
        </>
      ) : (
        <p>
          To keep your access, subscribe again from {formatMinute(from)} on. {until}
        </p>
      )}
      <p>We keep your account, your favorites and your progress.</p>
    </>
  );
}
