import type { PlanView } from "#app/domain/billing/plan-view.ts";
import { ErrorIdLine } from "#app/ui/forms/error-id-line.tsx";
import { Problem } from "#app/ui/forms/problem.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import styles from "./plan-terms.module.css";
import { PROBLEM_ID } from "./problems.ts";

interface PlanTermsProps {
  plan: PlanView;
  /** How a charge reads on a statement; null when the host has not said so. */
  statement: string | null;
  /** Whether tax is added to the sums. */
  hasTax: boolean;
  isSignedIn: boolean;
  /** In words; of this plan. */
  problem: string | undefined;
  /** Of that, in the log. */
  errorId: string | undefined;
  isConsentMissing: boolean;
  /** Whether the box stays ticked: only after these very terms were agreed to. */
  isAgreed: boolean;
}

/** What a plan costs and when, what has to be agreed to, and the button. */
export function PlanTerms({
  plan,
  statement,
  hasTax,
  isSignedIn,
  problem,
  errorId,
  isConsentMissing,
  isAgreed,
}: PlanTermsProps) {
  return (
    <section className={styles.panel} aria-label={`${plan.name}, ${plan.title}`}>
      <header className={styles.head}>
        <h3>{plan.name}</h3>
        {plan.description ? <p>{plan.description}</p> : null}
      </header>
      <dl className={styles.facts}>
        <dt>Today</dt>
        <dd>
          <strong>{plan.today}</strong>
          {plan.trial ? `, ${plan.trial}` : null}
        </dd>
        <dt>{plan.trial ? "First charge" : "Next charge"}</dt>
        <dd>{plan.nextCharge}</dd>
        <dt>Then</dt>
        <dd>{plan.renewal}, until you cancel</dd>
        <dt>Your statement</dt>
        <dd>
          {statement ? `reads “${statement}”` : "names the seller, as registered with the payment provider"}
        </dd>
      </dl>
      <Problem id={PROBLEM_ID}>{problem}</Problem>
      <ErrorIdLine id={errorId} />
      {isSignedIn ? (
        <label className={styles.consent}>
          {/* Other terms are not agreed to yet. */}
          <input
            key={plan.termsHash}
            type="checkbox"
            name={`consent-${plan.priceId}`}
            value={plan.termsHash}
            defaultChecked={isAgreed}
            aria-invalid={isConsentMissing || undefined}
            aria-describedby={problem ? PROBLEM_ID : undefined}
          />
          <span>{plan.terms}</span>
        </label>
      ) : (
        <p className={styles.terms}>{plan.terms}</p>
      )}
      <SubmitButton busyWords="One moment …" isOurs={(sent) => sent.get("plan") === plan.priceId}>
        {isSignedIn ? "Continue to payment" : "Sign in and continue"}
      </SubmitButton>
      <p className={styles.hint}>
        You pay on a page of our payment provider. This site never sees your card.{" "}
        {hasTax
          ? "A promotion code is entered there, and tax is worked out there: the sums above are before both."
          : "A promotion code is entered there, and lowers the sums above."}
      </p>
    </section>
  );
}
