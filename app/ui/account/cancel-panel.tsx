import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { HeldView } from "#app/domain/billing/cancel.server.ts";
import { ErrorIdLine } from "#app/ui/forms/error-id-line.tsx";
import styles from "#app/ui/forms/form.module.css";
import { Problem } from "#app/ui/forms/problem.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import account from "./account.module.css";
import { ELSEWHERE } from "./leaving-problems.ts";

interface CancelPanelProps extends HeldView {
  /** Where the form goes: it says whose subscription it is. */
  action: string;
  /** Why the button did not do what it says. */
  problem: string | undefined;
  /** Of that, in the log. */
  errorId: string | undefined;
  /** The provider has confirmed it, and our own rows do not show it yet. */
  isUnseen: boolean;
  /** How to change one's mind. */
  undo: ReactNode;
}

/** One button that ends a subscription, with what that means; or how things stand when there is nothing to end. */
export function CancelPanel({
  planName,
  price,
  leaving,
  askedAt,
  action,
  isUnseen,
  undo,
  ...refused
}: CancelPanelProps) {
  const { problem, errorId } = refused;
  if (isUnseen) {
    return (
      <div className={styles.column}>
        <h1>Your cancellation is made</h1>
        <p>
          The payment provider has confirmed it. This site will show it within a few minutes, and a mail
          follows. Nothing more is charged.
        </p>
      </div>
    );
  }
  if (leaving.kind === "over") {
    return (
      <div className={styles.column}>
        <h1>This subscription has ended</h1>
        <p>
          {leaving.endedOn === null ? "It is over" : `It ended on ${leaving.endedOn}`}, and nothing more is
          charged.
        </p>
      </div>
    );
  }
  if (leaving.kind === "elsewhere") {
    return (
      <div className={styles.column}>
        <h1>This subscription cannot be cancelled here</h1>
        <Problem id="cancel-problem">{ELSEWHERE}</Problem>
        <ErrorIdLine id={errorId} />
        <p>What you have paid for stays open, and this site takes nothing more for it.</p>
      </div>
    );
  }
  if (leaving.kind === "ending") {
    return (
      <div className={styles.column}>
        <h1>{leaving.isTrial ? "Your trial is cancelled" : "Your subscription is cancelled"}</h1>
        <Problem id="cancel-problem">{problem}</Problem>
        <ErrorIdLine id={errorId} />
        <Plan planName={planName} price={price} ends={leaving.endsOn} />
        <p>
          It stays open until {leaving.endsOn} and ends then. Nothing more is charged, and a mail confirms it.
        </p>
        {undo}
      </div>
    );
  }
  const isNow = leaving.kind === "now";
  const ends = isNow ? "At once" : (leaving.endsOn ?? "With its period");
  if (askedAt !== null) {
    return (
      <div className={styles.column}>
        <h1>Your cancellation is recorded</h1>
        <Problem id="cancel-problem">{problem}</Problem>
        <ErrorIdLine id={errorId} />
        <p>
          We could not reach the payment provider. Your cancellation is recorded as of {askedAt} and is passed
          on as soon as the provider answers. A mail confirms it then; you need not come back.
        </p>
        <Plan planName={planName} price={price} ends={ends} />
        {undo}
      </div>
    );
  }
  return (
    <div className={styles.column}>
      <h1>{!isNow && leaving.isTrial ? "Cancel your trial" : "Cancel your subscription"}</h1>
      <Problem id="cancel-problem">{problem}</Problem>
      <ErrorIdLine id={errorId} />
      <Plan planName={planName} price={price} ends={ends} />
      <p>{isNow ? NOW[leaving.why] : laterWords(leaving)}</p>
      <p>Your account, your favorites and your places are kept.</p>
      <Form method="post" action={action} className={styles.form}>
        <SubmitButton variant="danger" busyWords="Cancelling …">
          {!isNow && leaving.isTrial ? "Cancel my trial" : "Cancel my subscription"}
        </SubmitButton>
      </Form>
    </div>
  );
}

const NOW = {
  unpaid:
    "Its last payment has not gone through, so there is nothing paid to wait for: it ends at once, and nothing more is charged.",
  unbegun:
    "Its first payment is not completed, so it has not begun: it is given up at once, and nothing more is charged.",
  onItsWay:
    "Your bank is sending the money for it, so there is nothing paid to wait for: it ends at once. What the bank has sent cannot be stopped here and may still arrive; it buys nothing then, and you can ask the operator of this site to pay it back.",
  paused: "It is paused, so there is nothing paid to wait for: it ends at once, and nothing more is charged.",
};

function laterWords({ isTrial, endsOn }: { isTrial: boolean; endsOn: string | null }): string {
  if (endsOn === null) return "It ends with the period that is paid, and nothing more is charged.";
  if (isTrial) return `Your trial stays open until ${endsOn} and ends then. Nothing is charged.`;
  return `What you have paid for stays open until ${endsOn}. It ends then, and nothing more is charged.`;
}

function Plan({ planName, price, ends }: { planName: string; price: string; ends: string }) {
  return (
    <dl className={account.facts}>
      <dt>Plan</dt>
      <dd>{planName}</dd>
      <dt>Price</dt>
      <dd>{price}</dd>
      <dt>Ends</dt>
      <dd>{ends}</dd>
    </dl>
  );
}
