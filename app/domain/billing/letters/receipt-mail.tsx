import { LetterButton } from "#app/domain/mail/letter.tsx";
import { AgreedTerms, billingMail, type LetterFacts, LetterLines, WithdrawalLine } from "./billing-mail.tsx";

interface Receipt {
  number: string | null;
  /** "$14.99" */
  sum: string;
  /** "21 November 2026" */
  paidOn: string;
  periodStart: string;
  periodEnd: string;
  invoiceLink: string | null;
  /** It had been given up before a bank's money came. */
  isTooLate: boolean;
  /** Of the first payment: it tells of the beginning, too. */
  begins: {
    terms: string | null /** Null of one that is cancelled already. */;
    nextCharge: string | null;
  } | null;
}

export function receiptMail(facts: LetterFacts, receipt: Receipt) {
  const { begins } = receipt;
  const children = (
    <>
      {begins ? (
        <p>Your subscription has begun. This is the receipt for its first payment.</p>
      ) : (
        <p>Thank you. This is the receipt for your payment.</p>
      )}
      <LetterLines
        lines={[
          ["Sum", receipt.sum],
          ["Plan", `${facts.planName}, ${facts.price}`],
          ["Period", `${receipt.periodStart} to ${receipt.periodEnd}`],
          ["Invoice of", receipt.paidOn],
          ...(receipt.number === null ? [] : [["Invoice number", receipt.number] as [string, string]]),
        ]}
      />
      {receipt.isTooLate && (
        <p>
          The subscription had been given up before this payment came, so it opens nothing. Ask the operator
          of this site to pay it back.
        </p>
      )}
      {receipt.invoiceLink === null ? null : (
        <LetterButton href={receipt.invoiceLink}>See the invoice</LetterButton>
      )}
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
          <AgreedTerms text={begins.terms} />
          <WithdrawalLine withdrawal={facts.withdrawal} />
        </>
      )}
    </>
  );
  const subject = begins ? "Your subscription has begun: receipt" : "Receipt";
  return billingMail(facts, { kind: "billing-receipt", subject, children });
}
