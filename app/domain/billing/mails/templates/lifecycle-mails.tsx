import { formatDate, formatDays, formatMinute } from "#app/dates.ts";
import { endOf, isTrial, PAID_STATUSES } from "#app/domain/access/subscription-state.ts";
import { MailButton, MailLines } from "#app/domain/mail/mail-layout.tsx";
import type { Subscription } from "#db/schema/subscriptions.ts";
import { canKeep, isMoved } from "../../rules/cancellation-state.ts";
import { formatPrice } from "../../rules/format-money.ts";
import { lastChargeText } from "../../rules/next-charge-text.ts";
import { MOVED, soldAgainText } from "../../rules/subscription-sentence.ts";
import { REFUND_DAYS } from "../../rules/withdrawal-period.ts";
import {
  accountLink,
  billingMail,
  HOW_TO_CANCEL,
  PurchaseTermsText,
  subscribeLink,
  toGetItBack,
  WithdrawalLine,
} from "./billing-mail.tsx";
import {
  lastChargeOf,
  type MailFacts,
  nextChargeOf,
  planOf,
  prepaidText,
  trialOf,
  untilEnd,
} from "./mail-facts.server.ts";

export function begunMail(facts: MailFacts) {
  const { subscription, planName, price, terms } = facts;
  const trial = isTrial(subscription) ? trialOf(subscription) : null;
  const firstCharge = trial?.end ?? subscription.currentPeriodEnd;
  const begins = formatDate(firstCharge);
  const { isPrepaid } = subscription;
  const subject = trial ? `Your trial has started and ends on ${begins}` : "Your subscription has started";
  return billingMail(
    facts,
    { kind: "billing-begun", subject },
    <>
      {trial ? (
        <p>
          Your trial of {formatDays(trial.days)} has started. It is free until {begins}.
        </p>
      ) : (
        <p>Your subscription has started.</p>
      )}
      <MailLines
        lines={{
          Plan: planName,
          [trial ? "Price after the trial" : "Price"]: formatPrice(price, subscription),
          [trial ? "First charge" : "Next charge"]: isPrepaid ? "None" : nextChargeOf(facts, firstCharge),
        }}
      />
      <p>
        {isPrepaid ? prepaidText(subscription) : `${renewalText(subscription, firstCharge)} ${HOW_TO_CANCEL}`}
      </p>
      {trial?.isShort ? <p>We will not send another reminder before {begins}.</p> : null}
      <PurchaseTermsText text={terms} />
      <WithdrawalLine subscription={subscription} />
    </>,
  );
}

function renewalText(subscription: MailFacts["subscription"], at: Date): string {
  if (!isTrial(subscription))
    return `It renews automatically, each time for the same period, ${untilEnd(subscription)}.`;
  const { trialEndWithoutCard } = subscription;
  const begins = formatDate(at);
  if (trialEndWithoutCard === null)
    return `Your subscription starts automatically on ${begins} and then renews, each time for the same period, ${untilEnd(subscription)}. If you cancel before ${formatMinute(at)}, you will not be charged.`;
  const end = trialEndWithoutCard === "pause" ? "your subscription is paused" : "it ends";
  return `There is no payment method on file, so ${end} on ${begins} and you will not be charged.`;
}

export function paidTwiceMail(facts: MailFacts) {
  return billingMail(
    facts,
    { kind: "billing-paid-twice", subject: "You have paid twice" },
    <>
      <p>
        You paid for {facts.planName} although you already have a subscription. We have canceled the second
        one, so it will not renew.
      </p>
      <p>{toGetItBack("your money")}</p>
    </>,
  );
}

export function planChangedMail(facts: MailFacts, { before, since }: { before: string; since: string }) {
  const { subscription, price } = facts;
  const { cancelAtPeriodEnd: isCanceled, currentPeriodEnd } = subscription;
  const nextCharge = isCanceled
    ? lastChargeText({ ...subscription, price })
    : nextChargeOf(facts, currentPeriodEnd);
  const subject = "The price of your subscription has changed";
  return billingMail(
    facts,
    { kind: "billing-plan-changed", subject },
    <>
      <p>The price of your subscription has changed.</p>
      <MailLines lines={{ Before: before, Now: planOf(facts), Since: since, "Next charge": nextCharge }} />
      <p>
        {isCanceled
          ? `It is canceled and ends with the current period. ${lastChargeOf(facts)}`
          : `It renews at this price ${untilEnd(subscription)}. If you do not want this, or did not ask for it, you can cancel at any time, in your account or with the link below. You keep your access until the end of the period that you have paid for.`}
      </p>
    </>,
  );
}

export function canceledMail(facts: MailFacts, now: Date) {
  const { status, canceledAt, isPaymentPending } = facts.subscription;
  const endsOn = formatDate(endOf(facts.subscription));
  const isPaid = PAID_STATUSES.includes(status);
  const mayKeep = isPaid && canKeep(facts.subscription);
  // Money that is on its way from a bank cannot be stopped.
  const atOnce = isPaymentPending ? "To end it now" : "To end it now without another charge";
  return billingMail(
    facts,
    { kind: "billing-canceled", subject: "Your cancellation is confirmed" },
    <>
      <p>
        {isTrial(facts.subscription) ? "Your trial is canceled" : "Your subscription is canceled"}.{" "}
        {isPaid
          ? `It ends on ${endsOn}, and you keep your access until then. ${lastChargeOf(facts)}`
          : `It ends on ${endsOn}. ${lastChargeOf(facts)} ${atOnce}, cancel it with the link below.`}
      </p>
      <MailLines
        lines={{
          Plan: planOf(facts),
          "Canceled on": formatDate(canceledAt ?? new Date()),
          "Ends on": endsOn,
        }}
      />
      <p>
        We keep your favorites and your progress.{mayKeep && " You can change your mind until it ends:"}
        {isPaid && !mayKeep && ` A cancellation cannot be undone. ${soldAgainText(facts.subscription, now)}`}
      </p>
      {mayKeep && <MailButton href={accountLink()}>Keep my subscription</MailButton>}
    </>,
  );
}

export function keptMail(facts: MailFacts, before: Subscription) {
  const { subscription } = facts;
  const wasMoved = isMoved(before);
  const charge = isTrial(subscription) ? "First charge" : "Next charge";
  const on = subscription.currentPeriodEnd;
  return billingMail(
    facts,
    {
      kind: "billing-kept",
      subject: wasMoved ? "Your subscription renews after all" : "Your subscription continues",
    },
    <>
      <p>
        {wasMoved
          ? `We told you that your ${isTrial(subscription) ? "trial" : "subscription"} does not renew and ends on ${formatDate(endOf(before))}. This has changed: your subscription continues, and you do not need to subscribe again.`
          : "Your cancellation has been undone, so your subscription continues."}
      </p>
      <MailLines lines={{ Plan: planOf(facts), [charge]: nextChargeOf(facts, on) }} />
      <p>
        {renewalText(subscription, on)} {HOW_TO_CANCEL}
      </p>
    </>,
  );
}

export function endedMail(facts: MailFacts, before: Subscription) {
  const { endedAt } = facts.subscription;
  const on = formatDate(endedAt ?? new Date());
  // The provider charges what is left within the hour after the end, but not after an early or overdue end.
  const isOnItsDay = endedAt !== null && endedAt >= endOf(before) && PAID_STATUSES.includes(before.status);
  // A refund, a chargeback or a withdrawal has another reason.
  const isByMove = isMoved(facts.subscription) && (isOnItsDay || !PAID_STATUSES.includes(before.status));
  return billingMail(
    facts,
    { kind: "billing-ended", subject: "Your subscription has ended" },
    <>
      <p>
        Your subscription ended on {on}
        {isByMove ? `, ${MOVED}` : "."}{" "}
        {lastChargeOf(isOnItsDay ? { ...facts, subscription: { ...facts.subscription, ...before } } : facts)}
      </p>
      <MailLines lines={{ Plan: planOf(facts) }} />
      <p>We keep your account, your favorites and your progress. You can subscribe again at any time:</p>
      <MailButton href={subscribeLink()}>Subscribe again</MailButton>
    </>,
  );
}

export function unbegunMail(facts: MailFacts, wasPaymentPending: boolean) {
  const { status, endedAt } = facts.subscription;
  const isCanceled = status === "canceled";
  const subject = isCanceled ? "Your cancellation is confirmed" : "Your subscription has not started";
  return billingMail(
    facts,
    { kind: "billing-unbegun", subject },
    <>
      <p>
        {isCanceled
          ? `Your subscription was canceled on ${formatDate(endedAt ?? new Date())}, before its first payment was completed.`
          : "The first payment for your subscription was not completed in time, so the subscription was closed."}{" "}
        It never started, and there will be no further charges.
      </p>
      <MailLines lines={{ Plan: planOf(facts) }} />
      {wasPaymentPending ? (
        <p>
          If your bank has already sent the money, it may still arrive. It will not give you access.{" "}
          {toGetItBack()}
        </p>
      ) : (
        <p>You have not paid anything.</p>
      )}
      <p>We keep your account. You can subscribe at any time:</p>
      <MailButton href={subscribeLink()}>See the plans</MailButton>
    </>,
  );
}

export function withdrawalMail(facts: MailFacts, receivedAt: Date) {
  return billingMail(
    facts,
    { kind: "billing-withdrawal", subject: "We have received your withdrawal", isCancelOffered: false },
    <>
      <p>
        We have received your withdrawal from the contract for your subscription. Your subscription ends
        immediately, and you will not be charged again.
      </p>
      <MailLines lines={{ Plan: planOf(facts), "Received on": formatMinute(receivedAt) }} />
      <p>
        There is no automatic refund. Within {REFUND_DAYS} days, we will send you any refund that the law
        entitles you to, using the payment method that you used to pay.
      </p>
      <PurchaseTermsText text={facts.terms} />
    </>,
  );
}
