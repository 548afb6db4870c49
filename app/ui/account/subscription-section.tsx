import { Form, Link } from "@remix-run/react";
import type { AccountSubscription } from "#app/domain/billing/account-subscription.server.ts";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { NextStepButton } from "#app/ui/next-step-button.tsx";
import styles from "./account.module.css";
import { InvoiceList } from "./invoice-list.tsx";
import { KeepForm } from "./keep-form.tsx";
import { OtherSubscriptions } from "./other-subscriptions.tsx";
import { ResumeForm } from "./resume-form.tsx";

interface SubscriptionSectionProps extends AccountSubscription {
  billingMethod: string;
  /** "Visa ending in 4242, valid to 04/2027" */
  paymentMethod: string;
}

const EXPIRY = { expired: "It has expired.", soon: "It expires soon.", later: null } as const;

export function SubscriptionSection(props: SubscriptionSectionProps) {
  const { sentence, plan, cardExpiry, invoices, others } = props;
  const canResume = props.isPaused && props.askedAt === null;
  const warning = cardExpiry && EXPIRY[cardExpiry];
  return (
    <>
      <p>{sentence}</p>
      <OtherSubscriptions others={others} />
      <dl className={styles.facts}>
        {plan && (
          <>
            <dt>Plan</dt>
            <dd>
              {plan.name}, {plan.price}
            </dd>
            <dt>Next charge</dt>
            <dd>{plan.nextCharge ?? "None"}</dd>
          </>
        )}
        <dt>Billing method</dt>
        <dd>{props.billingMethod}</dd>
        <dt>Payment method</dt>
        <dd>
          {props.paymentMethod}
          {warning && <strong className={styles.wrong}> {warning}</strong>}
        </dd>
      </dl>
      {canResume && plan && <ResumeForm price={plan.price} />}
      <Actions {...props} />
      {props.canWithdraw && <WithdrawLine />}
      <h3 className={styles.minor}>Invoices</h3>
      <InvoiceList invoices={invoices} />
    </>
  );
}

/** The words that the law asks for. */
function WithdrawLine() {
  return (
    <p className={styles.muted}>
      For 14 days after subscribing: <Link to={paths.withdraw()}>withdraw from the contract here</Link>.
    </p>
  );
}

function Actions({ next, leaving, askedAt, hasPortal, isPaused }: SubscriptionSectionProps) {
  if (leaving === null || leaving.kind === "over" || leaving.kind === "elsewhere")
    return <NextStepButton {...next} />;
  const isCancelled = leaving.kind === "ending" || askedAt !== null;
  return (
    <div className={styles.actions}>
      {isCancelled && <KeepForm />}
      {(next.isPosted || leaving.kind === "now") && !isPaused && !isCancelled && <NextStepButton {...next} />}
      {hasPortal && !next.isPosted && (
        <Form method="post" action={paths.portal()}>
          <button type="submit" className={buttonClass("quiet")}>
            Change plan or card
          </button>
        </Form>
      )}
      {!isCancelled && (
        <Link to={paths.accountAction("subscription")} className={buttonClass("quiet")}>
          {leaving.kind === "atPeriodEnd" && leaving.isTrial ? "Cancel trial" : "Cancel subscription"}
        </Link>
      )}
    </div>
  );
}
