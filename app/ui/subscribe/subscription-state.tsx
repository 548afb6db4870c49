import { Link } from "@remix-run/react";
import type { CurrentPlan } from "#app/domain/billing/current-plan.ts";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { NextStepButton } from "#app/ui/next-step-button.tsx";
import styles from "./subscribe.module.css";

const TITLES: Record<CurrentPlan["standing"], string> = {
  open: "You are subscribed",
  unrenewed: "Your subscription is not renewed yet",
  overdue: "Your payment did not go through",
  unfinished: "Your payment is not completed",
  onItsWay: "Your bank is sending the money",
  paused: "Your subscription is paused",
};

/** For who has a subscription: what it is, and all that can be done with it. */
export function SubscriptionState({
  name,
  price,
  sentence,
  next,
  standing,
  canCancel,
  hasPortal,
}: CurrentPlan) {
  const isDue = ["unrenewed", "overdue", "unfinished"].includes(standing);
  return (
    <section className={isDue ? `${styles.state} ${styles.due}` : styles.state}>
      <h2>{TITLES[standing]}</h2>
      <p className={styles.plan}>
        <strong>{name}</strong>, {price}
      </p>
      <p>{sentence}</p>
      {standing === "overdue" ? (
        <p>Your favorites and your place in everything you have started are kept.</p>
      ) : null}
      <div className={styles.actions}>
        <NextStepButton {...next} />
        {hasPortal && !isDue ? (
          <NextStepButton variant="quiet" label="Change plan or card" href={paths.portal()} isPosted />
        ) : null}
        {canCancel ? (
          <Link to={`${paths.account()}#subscription`} className={buttonClass("quiet")}>
            Cancel
          </Link>
        ) : null}
      </div>
    </section>
  );
}
