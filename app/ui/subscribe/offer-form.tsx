import { Form } from "@remix-run/react";
import type { PlanView } from "#app/domain/billing/plan-view.ts";
import { paths } from "#app/paths.ts";
import { ErrorIdLine } from "#app/ui/forms/error-id-line.tsx";
import { Problem } from "#app/ui/forms/problem.tsx";
import styles from "./plan-choice.module.css";
import { PlanChoice } from "./plan-choice.tsx";
import { PlanTerms } from "./plan-terms.tsx";
import { PROBLEM_ID, PROBLEMS, type PurchaseProblem } from "./problems.ts";

export interface RefusedPurchase {
  problem: PurchaseProblem;
  /** What was chosen, and the hash of the terms that were agreed to. */
  priceId: string;
  consentHash: string | null;
  errorId: string;
}

interface OfferFormProps {
  plans: PlanView[];
  /** Of the plan that is chosen at first. */
  chosen: string;
  /** Where they were before, a path of this site; empty when nowhere. */
  next: string;
  statement: string | null;
  hasTax: boolean;
  isSignedIn: boolean;
  refused: RefusedPurchase | undefined;
}

/** The plans, as one form. */
export function OfferForm({ plans, chosen, next, statement, hasTax, isSignedIn, refused }: OfferFormProps) {
  const isOffered = plans.some(({ priceId }) => priceId === refused?.priceId);
  const first = isOffered ? refused?.priceId : chosen;
  return (
    <Form method="post" action={`${paths.subscribe()}#${PROBLEM_ID}`} preventScrollReset>
      {next === "" ? null : <input type="hidden" name="next" value={next} />}
      <Problem id={PROBLEM_ID}>{refused && !isOffered ? PROBLEMS[refused.problem] : undefined}</Problem>
      <ErrorIdLine id={isOffered ? undefined : refused?.errorId} />
      <fieldset className={styles.plans}>
        <legend>
          <h2>Choose your plan</h2>
        </legend>
        {plans.map((plan) => {
          const own = refused?.priceId === plan.priceId ? refused : undefined;
          return (
            <PlanChoice key={plan.priceId} plan={plan} isChosen={plan.priceId === first}>
              <PlanTerms
                plan={plan}
                statement={statement}
                hasTax={hasTax}
                isSignedIn={isSignedIn}
                problem={own && PROBLEMS[own.problem]}
                errorId={own?.errorId}
                isConsentMissing={own?.problem === "noConsent" || own?.problem === "termsChanged"}
                isAgreed={own?.consentHash === plan.termsHash}
              />
            </PlanChoice>
          );
        })}
      </fieldset>
    </Form>
  );
}
