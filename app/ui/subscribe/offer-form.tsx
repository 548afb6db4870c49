import { Badge, Fieldset, TextInput } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { PlanView } from "#app/domain/billing/offers/plan-view.ts";
import { paths } from "#app/paths.ts";
import { MAX_ADDRESS_LENGTH } from "#app/texts.ts";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import { HoneypotInput } from "#app/ui/forms/honeypot-field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import "#app/ui/theme/mantine.css";
import styles from "./plan-choice.module.css";
import { ERROR_ID, PlanTerms, PURCHASE_ERRORS, type PurchaseError } from "./plan-terms.tsx";

export interface RefusedPurchase {
  error: PurchaseError;
  priceId: string;
  consentHash: string | null;
  errorId: string | undefined;
}

interface OfferFormProps {
  plans: PlanView[];
  chosen: string;
  next: string;
  statement: string | null;
  biller: { name: string; url: string } | null;
  hasTax: boolean;
  takesCodes: boolean;
  isSignedIn: boolean;
  refused: RefusedPurchase | undefined;
}

export function OfferForm({
  plans,
  chosen,
  next,
  statement,
  biller,
  hasTax,
  takesCodes,
  isSignedIn,
  refused,
}: OfferFormProps) {
  const isOffered = plans.some(({ priceId }) => priceId === refused?.priceId);
  const first = isOffered ? refused?.priceId : chosen;
  // A refused form is shown at its action's address, which names the next page so that a reload keeps it.
  const here = paths.subscribe({ next });
  return (
    <Form
      method="post"
      action={isSignedIn ? `${here}#${ERROR_ID}` : paths.signIn(here)}
      preventScrollReset={isSignedIn}
    >
      {next === "" ? null : <input type="hidden" name="next" value={next} />}
      <FormError id={ERROR_ID}>
        {refused && !isOffered ? PURCHASE_ERRORS[refused.error] : undefined}
      </FormError>
      <ErrorIdLine id={isOffered ? undefined : refused?.errorId} />
      <Fieldset
        variant="unstyled"
        legend={<h2>Choose your plan</h2>}
        classNames={{ root: styles.plans, legend: styles.legend }}
      >
        {plans.map((plan) => {
          const own = refused?.priceId === plan.priceId ? refused : undefined;
          return (
            <PlanChoice key={plan.priceId} plan={plan} isChosen={plan.priceId === first}>
              <PlanTerms
                plan={plan}
                statement={statement}
                biller={biller}
                hasTax={hasTax}
                takesCodes={takesCodes}
                isSignedIn={isSignedIn}
                error={own && PURCHASE_ERRORS[own.error]}
                errorId={own?.errorId}
                isConsentMissing={own?.error === "noConsent" || own?.error === "termsChanged"}
                isAccepted={own?.consentHash === plan.termsHash}
              />
            </PlanChoice>
          );
        })}
        {isSignedIn ? null : <SignInToContinue />}
      </Fieldset>
    </Form>
  );
}

/** Saves a newcomer the sign-in page. */
function SignInToContinue() {
  return (
    <div className={styles.signIn}>
      <p>We email you a link and a code. There is no password. Your first sign-in creates your account.</p>
      <TextInput
        name="email"
        type="email"
        label="Email address"
        autoComplete="email"
        inputMode="email"
        maxLength={MAX_ADDRESS_LENGTH}
        required
        withAsterisk={false}
      />
      <HoneypotInput name="leaveEmpty" />
      <SubmitButton busyLabel="Sending …" isOurs={(sent) => sent.has("email")}>
        Send me a link
      </SubmitButton>
    </div>
  );
}

interface PlanChoiceProps {
  plan: PlanView;
  isChosen: boolean;
  children: ReactNode;
}

function PlanChoice({ plan, isChosen, children }: PlanChoiceProps) {
  return (
    <div className={styles.plan}>
      <label className={styles.card}>
        <input type="radio" name="plan" value={plan.priceId} defaultChecked={isChosen} />
        <span className={styles.title}>{plan.title}</span>
        {plan.saving ? (
          <Badge component="span" variant="light" color="green">
            {plan.saving}
          </Badge>
        ) : null}
        <span className={styles.price}>
          <span className={styles.amount}>{plan.amount}</span> {plan.per}
        </span>
        <span className={styles.note}>{[plan.monthly, plan.firstPeriod].filter(Boolean).join(" · ")}</span>
      </label>
      <div className={styles.panel}>{children}</div>
    </div>
  );
}
