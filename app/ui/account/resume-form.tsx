import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import styles from "./account.module.css";

/** Ends a pause. It charges, so what is charged stands above the button. */
export function ResumeForm({ price }: { price: string }) {
  return (
    <Form method="post" action={paths.accountAction("subscription")} className={styles.form}>
      <input type="hidden" name="intent" value="resume" />
      <p>
        When you resume, a new period begins: {price}, before discounts and tax, charged at once and then at
        the beginning of each period, until you cancel.
      </p>
      <SubmitButton isOurs={(sent) => sent.get("intent") === "resume"} busyWords="One moment …">
        Resume and pay
      </SubmitButton>
    </Form>
  );
}
