import { formatDate } from "#app/dates.ts";
import { ENDED_STATUSES, OVERDUE_STATUSES } from "#app/domain/access/subscription-state.ts";
import { MailButton, MailLines } from "#app/domain/mail/mail-layout.tsx";
import type { Invoice, Subscription } from "#db/schema/billing.ts";
import { formatMoney } from "../../rules/format-money.ts";
import { unchargedText } from "../../rules/next-charge-text.ts";
import { endOfGrace } from "../../subscriptions/days-of-grace.server.ts";
import { accountLink, billingMail, PurchaseTermsText, WithdrawalLine } from "./billing-mail.tsx";
import { lastChargeOf, type MailFacts, nextChargeOf, planOf, untilEnd } from "./mail-facts.server.ts";

/** `begins`: this receipt also announces the start. `isTooLate`: the subscription had ended before the money came. */
export function receiptMail(
  facts: MailFacts,
  invoice: Invoice,
  { begins, isTooLate }: { begins: boolean; isTooLate: boolean },
) {
  const { subscription, terms } = facts;
  const isUncharged = unchargedText(subscription, invoice.periodEnd) !== null;
  const subject = begins ? "Your subscription has begun: receipt" : "Receipt";
  return billingMail(
    facts,
    { kind: "billing-receipt", subject },
    <>
      {begins ? (
        <p>Your subscription has begun. This is the receipt for its first payment.</p>
      ) : (
        <p>Thank you. This is the receipt for your payment.</p>
      )}
      <MailLines
        lines={{
          Amount: formatMoney(invoice.amountPaid, invoice.currency),
          Plan: planOf(facts),
          Period: `${formatDate(invoice.periodStart)} to ${formatDate(invoice.periodEnd)}`,
          "Invoice date": formatDate(invoice.paidAt ?? invoice.createdAt),
          "Invoice number": invoice.number,
        }}
      />
      {isTooLate && (
        <p>
          The subscription was closed before this payment came, so the payment gives no access. Write to us,
          at the address below, to have it paid back.
        </p>
      )}
      {invoice.hostedUrl && <MailButton href={invoice.hostedUrl}>See the invoice</MailButton>}
      {begins && (
        <>
          {subscription.cancelAtPeriodEnd ? (
            <p>It is cancelled already and ends with this period. {lastChargeOf(facts)}</p>
          ) : (
            <p>
              {isUncharged ? "Next charge: " : "The next charge is "}
              {nextChargeOf(facts, invoice.periodEnd)}. It renews for the same period again,{" "}
              {untilEnd(subscription)}. You can cancel at any time, in your account or by the link below.
            </p>
          )}
          <PurchaseTermsText text={terms} />
          <WithdrawalLine subscription={subscription} />
        </>
      )}
    </>,
  );
}

export function cardFailedMail(facts: MailFacts, invoice: Invoice) {
  const { hostedUrl, nextAttemptAt } = invoice;
  const { isInvoiced, status } = facts.subscription;
  const isOver = ENDED_STATUSES.includes(status);
  return billingMail(
    facts,
    { kind: "billing-card-failed", subject: "A payment did not go through", isOver },
    <>
      <p>
        A payment of {formatMoney(invoice.amountRemaining, invoice.currency)} for your subscription did not go
        through.{isOver && " Your subscription has ended, and nothing more is charged after this payment."}
      </p>
      <p>
        {accessText(facts.subscription)}
        {nextAttemptAt && `The payment is tried again on ${formatDate(nextAttemptAt)}. `}
        Your favorites and your progress are kept.
      </p>
      <MailButton href={hostedUrl ?? accountLink()}>
        {hostedUrl === null ? "Fix payment" : "Pay now"}
      </MailButton>
      {!isOver && (
        <p>
          {isInvoiced
            ? "The invoice says how to pay it."
            : "You can change the payment method in your account."}{" "}
          If you do not want the subscription any more, cancel it below.
        </p>
      )}
    </>,
  );
}

/** An overdue subscription stays open for the days of grace of its period, which a bill within it does not lengthen. */
function accessText({ status, currentPeriodStart }: Subscription): string {
  if (!OVERDUE_STATUSES.includes(status)) return "";
  const openUntil = status === "past_due" ? endOfGrace(currentPeriodStart, new Date()) : null;
  return openUntil
    ? `Your access stays until ${formatDate(openUntil)}, so that you can fix the payment. `
    : "Your access is paused until the payment goes through. ";
}
