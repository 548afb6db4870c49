import { formatDate } from "#app/dates.ts";
import { ENDED_STATUSES, OVERDUE_STATUSES } from "#app/domain/access/subscription-state.ts";
import { MailButton, MailLines } from "#app/domain/mail/mail-layout.tsx";
import type { Invoice } from "#db/schema/invoices.ts";
import type { Subscription } from "#db/schema/subscriptions.ts";
import { capabilitiesOf } from "../../providers/contract/capabilities.ts";
import { canCancel } from "../../rules/cancellation-state.ts";
import { formatMoney } from "../../rules/format-money.ts";
import { unchargedText } from "../../rules/next-charge-text.ts";
import { ANOTHER_CARD } from "../../rules/subscription-sentence.ts";
import { endOfGrace } from "../../subscriptions/days-of-grace.server.ts";
import { statementText } from "../../subscriptions/statement-text.server.ts";
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
  untilEnd,
} from "./mail-facts.server.ts";

export function receiptMail(
  facts: MailFacts,
  invoice: Invoice,
  { begins, isTooLate }: { begins: boolean; isTooLate: boolean },
) {
  const { subscription, terms } = facts;
  const { isPrepaid } = subscription;
  const tooMuch = isPrepaid ? invoice.amountPaid - invoice.total : 0;
  const isUncharged = unchargedText(subscription, invoice.periodEnd) !== null;
  const subject = begins ? "Receipt for your new subscription" : "Receipt";
  return billingMail(
    facts,
    { kind: "billing-receipt", subject },
    <>
      {begins ? (
        <p>Your subscription has started. This is the receipt for its first payment.</p>
      ) : (
        <p>Thank you. This is the receipt for your payment.</p>
      )}
      <MailLines
        lines={{
          Amount: formatMoney(invoice.amountPaid, invoice.currency),
          Plan: planOf(facts),
          Period: `${formatDate(invoice.periodStart)} to ${formatDate(invoice.periodEnd)}`,
          "Paid on": formatDate(invoice.paidAt ?? invoice.createdAt),
          "Invoice number": invoice.number,
          "On your statement": statementText(subscription),
        }}
      />
      {isTooLate && (
        <p>
          Your subscription was closed before this payment arrived, so the payment does not give you access.{" "}
          {toGetItBack()}
        </p>
      )}
      {invoice.isLate && (
        <p>Your payment arrived after the payment page had closed. It counts all the same.</p>
      )}
      {tooMuch > 0 && (
        <p>
          You paid {formatMoney(tooMuch, invoice.currency)} more than the price. {toGetItBack()}
        </p>
      )}
      {isPrepaid && !ENDED_STATUSES.includes(subscription.status) && <p>{prepaidText(subscription)}</p>}
      {invoice.hostedUrl && <MailButton href={invoice.hostedUrl}>See the invoice</MailButton>}
      {begins && (
        <>
          {isPrepaid ? null : subscription.cancelAtPeriodEnd ? (
            <p>Your subscription is already canceled and ends with this period. {lastChargeOf(facts)}</p>
          ) : (
            <p>
              {isUncharged ? "Next charge: " : "The next charge is "}
              {nextChargeOf(facts, invoice.periodEnd)}. Your subscription renews automatically, each time for
              the same period, {untilEnd(subscription)}. {HOW_TO_CANCEL}
            </p>
          )}
          <PurchaseTermsText text={terms} />
          <WithdrawalLine subscription={subscription} />
        </>
      )}
      {isPrepaid && !begins && <PurchaseTermsText text={terms} />}
    </>,
  );
}

/** Of a prepaid period. */
export function refundMail(facts: MailFacts, invoice: Invoice) {
  const { subscription } = facts;
  const isOver = ENDED_STATUSES.includes(subscription.status);
  const refunded = formatMoney(invoice.amountRefunded, invoice.currency);
  return billingMail(
    facts,
    { kind: "billing-refund", subject: "Your payment was refunded" },
    <>
      <p>
        {refunded} of your payment on {formatDate(invoice.paidAt ?? invoice.createdAt)} was refunded, so the
        time that it paid for no longer counts.{" "}
        {isOver ? "Your subscription has ended." : prepaidText(subscription)}
      </p>
      <MailLines lines={{ Plan: planOf(facts) }} />
      {isOver && <MailButton href={subscribeLink()}>Subscribe again</MailButton>}
    </>,
  );
}

export function paymentFailedMail(facts: MailFacts, invoice: Invoice) {
  const { hostedUrl, nextAttemptAt } = invoice;
  const { isInvoiced, status, provider } = facts.subscription;
  const hasPortal = capabilitiesOf(provider).portal !== null;
  const isOver = ENDED_STATUSES.includes(status);
  return billingMail(
    facts,
    { kind: "billing-payment-failed", subject: "A payment did not go through" },
    <>
      <p>
        A payment of {formatMoney(invoice.amountRemaining, invoice.currency)} for your subscription did not go
        through.{isOver && " Your subscription has ended, and this is its last charge."}
      </p>
      <p>
        {accessText(facts.subscription)}
        {nextAttemptAt && `We will try the payment again on ${formatDate(nextAttemptAt)}. `}
        We keep your favorites and your progress.
      </p>
      <MailButton href={hostedUrl ?? accountLink()}>
        {hostedUrl !== null ? "Pay now" : hasPortal ? "Fix payment" : "See your subscription"}
      </MailButton>
      {!isOver && (
        <p>
          {howToPay({ isInvoiced, hasPortal })}{" "}
          {canCancel(facts.subscription) &&
            "If you no longer want the subscription, cancel it with the link below."}
        </p>
      )}
    </>,
  );
}

function howToPay({ isInvoiced, hasPortal }: { isInvoiced: boolean; hasPortal: boolean }): string {
  if (isInvoiced) return "The invoice explains how to pay it.";
  return hasPortal ? "You can change your payment method in your account." : ANOTHER_CARD;
}

/** The days of grace begin with the period; a later invoice in the same period does not add any. */
function accessText({ status, currentPeriodStart }: Subscription): string {
  if (!OVERDUE_STATUSES.includes(status)) return "";
  const openUntil = status === "past_due" ? endOfGrace(currentPeriodStart, new Date()) : null;
  return openUntil
    ? `You keep your access until ${formatDate(openUntil)}, so that you have time to fix the payment. `
    : "Your access is paused until the payment goes through. ";
}
