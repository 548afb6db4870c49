import { Link } from "@remix-run/react";
import type { WithdrawalView } from "#app/domain/billing/cancellation/withdraw.server.ts";
import { paths } from "#app/paths.ts";
import { type BoxState, DecisionForm } from "#app/ui/forms/decision-form.tsx";
import { Facts } from "#app/ui/forms/facts.tsx";
import styles from "#app/ui/forms/form.module.css";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { ContactLink } from "#app/ui/parts/contact.tsx";

interface WithdrawPanelProps extends WithdrawalView {
  action: string;
  box: BoxState;
  cancelPath: string;
  error: string | undefined;
  errorId: string | undefined;
}

export function WithdrawPanel({
  state,
  action,
  box,
  cancelPath,
  error,
  errorId,
  ...contract
}: WithdrawPanelProps) {
  if (state.kind === "received") {
    return (
      <div className={styles.column}>
        <h1>We have received your withdrawal</h1>
        <Contract {...contract} />
        <p>
          We received it on {state.at} and will confirm it by email. The subscription ends within minutes, and
          you will not be charged again.
        </p>
        <Money refundDays={contract.refundDays} />
        <p>
          <Link to={paths.account()}>Go to your account</Link>
        </p>
      </div>
    );
  }
  if (state.kind === "late") {
    return (
      <div className={styles.column}>
        <h1>It is too late to withdraw</h1>
        <Contract {...contract} />
        <p>
          You could withdraw until {contract.lastDay}. You can still cancel at any time, and keep your access
          until the end of the period that you have paid for.
        </p>
        <p>
          <Link to={cancelPath}>Cancel it instead</Link>
        </p>
      </div>
    );
  }
  return (
    <div className={styles.column}>
      <h1>Withdraw from the contract</h1>
      <Contract {...contract} />
      <p>
        You can withdraw until {contract.lastDay}, without giving a reason. The subscription then ends at
        once, and you will not be charged again. We will confirm the withdrawal by email, with the date and
        time. You cannot undo it.
      </p>
      <Money refundDays={contract.refundDays} />
      <p>
        If you only want it to stop renewing, <Link to={cancelPath}>cancel it</Link> instead. You then keep
        your access until the end of the period that you have paid for.
      </p>
      <FormError id="withdraw-problem">{error}</FormError>
      <ErrorIdLine id={errorId} />
      <DecisionForm
        action={action}
        intent="withdraw"
        box={box}
        sentence="Yes, I want to withdraw from this contract."
      >
        <SubmitButton variant="outline" color="red" busyLabel="Withdrawing …">
          Confirm withdrawal
        </SubmitButton>
      </DecisionForm>
    </div>
  );
}

function Money({ refundDays }: Pick<WithdrawalView, "refundDays">) {
  return (
    <p>
      There is no automatic refund. Within {refundDays} days, the operator of this site will send you any
      refund that the law entitles you to, using the payment method that you used to pay. When you subscribed,
      you asked for immediate access, which can end the right to withdraw. The{" "}
      <Link to={paths.terms()}>terms</Link> and the law of your country say what that means for you.
      Questions? Write to <ContactLink />.
    </p>
  );
}

function Contract({ planName, price, begunOn }: Pick<WithdrawalView, "planName" | "price" | "begunOn">) {
  return (
    <Facts
      facts={[
        ["Plan", planName],
        ["Price", price],
        ["Subscribed on", begunOn],
      ]}
    />
  );
}
