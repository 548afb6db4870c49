import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "#app/ui/forms/form.module.css";

export function OwnDataForms() {
  return (
    <section className={styles.form}>
      <h2>Your data</h2>
      <p>
        <a href={paths.accountAction("export")} download>
          Download everything we know of you
        </a>
      </p>
      <Form method="post" action={paths.accountAction("delete")} className={styles.form}>
        <label>
          <input type="checkbox" name="confirm" value="yes" required /> Delete my account, favorites and
          history. This cannot be undone.
        </label>
        <button type="submit" className={buttonClass("danger")}>
          Delete my account
        </button>
      </Form>
    </section>
  );
}
