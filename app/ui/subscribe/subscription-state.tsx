import { Link } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "./subscribe.module.css";

interface SubscriptionStateProps {
  state: "subscribed" | "overdue";
  planName: string;
  /** How things stand. */
  sentence: string;
}

export function SubscriptionState({ state, planName, sentence }: SubscriptionStateProps) {
  if (state === "overdue") {
    return (
      <section className={styles.state}>
        <h2>The last payment did not go through</h2>
        <p>
          Films and photo sets for subscribers are closed until it has. Your favorites and your place in
          everything you have started are kept. Please write to the operator of this site to put it right.
        </p>
        <Link to={paths.favorites()} className={buttonClass("quiet")}>
          Your favorites
        </Link>
      </section>
    );
  }
  return (
    <section className={styles.state}>
      <h2>You are subscribed</h2>
      <p>
        {planName}. {sentence}
      </p>
      <Link to={paths.list("video")} className={buttonClass()}>
        Watch something
      </Link>
    </section>
  );
}
