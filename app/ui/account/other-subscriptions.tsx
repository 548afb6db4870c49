import { Link } from "@remix-run/react";
import type { OtherSubscription } from "#app/domain/billing/other-subscriptions.server.ts";
import { paths } from "#app/paths.ts";
import styles from "./account.module.css";

/** For whom money is taken more than once: nobody wants that, and it is seldom seen by itself. */
export function OtherSubscriptions({ others }: { others: OtherSubscription[] }) {
  return others.map(({ id, name, price }) => (
    <p key={id} className={styles.warning}>
      You are charged for another subscription besides this one: {name}, {price}. If you want only one,{" "}
      <Link to={paths.accountAction("subscription", { subscription: id })}>cancel the other</Link>; for money
      that was taken twice, write to the operator of this site.
    </p>
  ));
}
