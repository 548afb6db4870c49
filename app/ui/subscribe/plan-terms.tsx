import { Card } from "@mantine/core";
import type { PlanView } from "#app/domain/billing/offers/plan-view.ts";
import { Facts } from "#app/ui/forms/facts.tsx";
import { Tick } from "#app/ui/forms/field.tsx";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { BillerLink } from "#app/ui/parts/biller-link.tsx";
import "#app/ui/theme/mantine.css";
import styles from "./plan-terms.module.css";

export const ERROR_ID = "purchase-error";

export const PURCHASE_ERRORS = {
  priceGone: "This price is no longer offered. Please choose again.",
  noConsent: "To continue, please read these terms and tick the box beside them.",
  termsChanged: "The terms have changed since you opened this page. Please read them again and tick the box.",
  replaced: "You have since chosen another plan, perhaps in another tab. Please choose again here.",
  unreachable: "We could not reach the payment provider. You were not charged. Please try again in a minute.",
} as const;

export type PurchaseError = keyof typeof PURCHASE_ERRORS;

interface PlanTermsProps {
  plan: PlanView;
  statement: string | null;
  biller: { name: string; url: string } | null;
  hasTax: boolean;
  takesCodes: boolean;
  isSignedIn: boolean;
  error: string | undefined;
  errorId: string | undefined;
  isConsentMissing: boolean;
  /** The box stays ticked only if exactly these terms were accepted. */
  isAccepted: boolean;
}

export function PlanTerms({
  plan,
  statement,
  biller,
  hasTax,
  takesCodes,
  isSignedIn,
  error,
  errorId,
  isConsentMissing,
  isAccepted,
}: PlanTermsProps) {
  return (
    <Card component="section" className={styles.panel} aria-label={`${plan.name}, ${plan.title}`}>
      <header className={styles.head}>
        <h3>{plan.name}</h3>
        {plan.description ? <p>{plan.description}</p> : null}
      </header>
      <Facts
        facts={[
          [
            "Today",
            <>
              <strong>{plan.today}</strong>
              {plan.todayNote}
            </>,
          ],
          ...(plan.renewal
            ? ([
                [plan.renewal.label, plan.renewal.next],
                ["Then", plan.renewal.later],
                [
                  "On your statement",
                  statement ? `“${statement}”` : "The seller's name, as registered with the payment provider",
                ],
              ] as const)
            : ([["Then", "Nothing. It does not renew."]] as const)),
          ...(biller ? ([["Charged by", <BillerLink key="biller" {...biller} />]] as const) : []),
        ]}
      />
      <FormError id={ERROR_ID}>{error}</FormError>
      <ErrorIdLine id={errorId} />
      {isSignedIn ? (
        <div className={styles.terms}>
          {/* Remounts unticked when the terms change. */}
          <Tick
            key={plan.termsHash}
            name={`consent-${plan.priceId}`}
            value={plan.termsHash}
            defaultChecked={isAccepted}
            aria-invalid={isConsentMissing || undefined}
            aria-describedby={error ? ERROR_ID : undefined}
          >
            {plan.terms}
          </Tick>
        </div>
      ) : (
        <p className={styles.terms}>{plan.terms}</p>
      )}
      {isSignedIn ? (
        <SubmitButton busyLabel="One moment …" isOurs={(sent) => sent.get("plan") === plan.priceId}>
          Continue to payment
        </SubmitButton>
      ) : null}
      <p className={styles.hint}>
        You pay on our payment provider's page.{" "}
        {plan.renewal === null
          ? "The payment counts as soon as it is confirmed."
          : `This site never sees your card. ${addedThere({ hasTax, takesCodes })}`}
      </p>
    </Card>
  );
}

function addedThere({ hasTax, takesCodes }: { hasTax: boolean; takesCodes: boolean }): string {
  if (hasTax && takesCodes)
    return "You can enter a promotion code there, and tax is calculated there. The amounts above include neither.";
  if (takesCodes) return "You can enter a promotion code there, which lowers the amounts above.";
  return hasTax ? "Tax is calculated there. The amounts above do not include it." : "";
}
