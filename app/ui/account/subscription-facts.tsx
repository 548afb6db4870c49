import { Link } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "./account.module.css";

interface SubscriptionFactsProps {
  /** How things stand. */
  sentence: string;
  isSubscribed: boolean;
  billingMethod: string;
  paymentMethod: string;
}

export function SubscriptionFacts(props: SubscriptionFactsProps) {
  return (
    <>
      <p>{props.sentence}</p>
      <dl className={styles.facts}>
        <dt>Billing method</dt>
        <dd>{props.billingMethod}</dd>
        <dt>Payment method</dt>
        <dd>{props.paymentMethod}</dd>
      </dl>
      <p className={styles.muted}>Both come from the payment provider and are changed there.</p>
      <Link to={paths.subscribe()} className={buttonClass("quiet")}>
        {props.isSubscribed ? "See your plan" : "See what a subscription opens"}
      </Link>
    </>
  );
}
