import { MailButton } from "#app/domain/mail/mail-layout.tsx";
import {
  billingMail,
  type MailContext,
  MailLines,
  PurchaseTermsText,
  planOf,
  WithdrawalLine,
} from "./billing-mail.tsx";

interface Receipt {
  number: string | null;
  sum: string;
  paidOn: string;
  period: string;
  invoiceLink: string | null;
  /** The subscription had ended before the bank transfer arrived. */
  isTooLate: boolean;
  /** Set for the first payment, whose receipt also announces the start. */
  begins: { terms: string | null; nextCharge: string | null } | null;
}

export function receiptMail(facts: MailContext, { begins, ...receipt }: Receipt) {
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
          Amount: receipt.sum,
          Plan: planOf(facts),
          Period: receipt.period,
          "Invoice date": receipt.paidOn,
          "Invoice number": receipt.number,
        }}
      />
      {receipt.isTooLate && (
        <p>
          The subscription had been given up before this payment came, so it opens nothing. Write to us, at
          the address below, to have it paid back.
        </p>
      )}
      {receipt.invoiceLink && <MailButton href={receipt.invoiceLink}>See the invoice</MailButton>}
      {begins && (
        <>
          {begins.nextCharge === null ? (
            <p>It is cancelled already: it ends with this period, and nothing more is charged.</p>
          ) : (
            <p>
              The next charge is {begins.nextCharge}. It renews for the same period again, until you cancel
              it. You can do that at any time, in your account or by the link below.
            </p>
          )}
          <PurchaseTermsText text={begins.terms} />
          <WithdrawalLine withdrawal={facts.withdrawal} />
        </>
      )}
    </>,
  );
}

export function cardFailedMail(
  facts: MailContext,
  failed: { sum: string; payLink: string | null; openUntil: string | null; nextTryOn: string | null },
) {
  return billingMail(
    facts,
    { kind: "billing-card-failed", subject: "A payment did not go through" },
    <>
      <p>A payment of {failed.sum} for your subscription did not go through.</p>
      <p>
        {failed.openUntil === null
          ? "Your access is paused until the payment goes through."
          : `Your access stays until ${failed.openUntil}, so that you can put it right.`}{" "}
        {failed.nextTryOn === null ? "" : `The card is tried again on ${failed.nextTryOn}. `}
        Your favorites and your progress are kept.
      </p>
      <MailButton href={failed.payLink ?? facts.accountLink}>
        {failed.payLink === null ? "Put it right" : "Pay now"}
      </MailButton>
      <p>
        You can change the card in your account. If you do not want the subscription any more, cancel it
        below.
      </p>
    </>,
  );
}
