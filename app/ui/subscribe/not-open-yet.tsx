import { Link } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import styles from "./subscribe.module.css";

/** Where nothing is for sale. */
export function NotOpenYet({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <section className={styles.state}>
      <h2>Not open yet</h2>
      <p>
        Subscriptions cannot be bought here at the moment.{" "}
        {isSignedIn ? (
          <>
            What is open to members is yours already: <Link to={paths.list("video")}>see the videos</Link>.
          </>
        ) : (
          <>
            Signing up costs nothing and opens what is for members: <Link to={paths.signIn()}>sign up</Link>.
          </>
        )}
      </p>
    </section>
  );
}
