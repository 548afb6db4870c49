import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "./account.module.css";
import { Wrong } from "./wrong.tsx";

export const CONFIRM_FIELD_ID = "delete-confirm";
const WRONG_ID = "delete-confirm-error";

interface DeleteFormProps {
  problem: string | undefined;
  /** Whether there is one that still runs. */
  endsSubscription: boolean;
}

export function DeleteForm({ problem, endsSubscription }: DeleteFormProps) {
  return (
    <Form method="post" action={paths.account()} preventScrollReset className={styles.form}>
      <input type="hidden" name="intent" value="delete" />
      {endsSubscription && (
        <p>
          Your subscription ends first and at once, with what is left of it, and nothing more is charged. To
          use what you have paid for, cancel it instead and delete your account later.
        </p>
      )}
      <div className={styles.tick}>
        <input
          id={CONFIRM_FIELD_ID}
          type="checkbox"
          name="confirm"
          value="yes"
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby={problem === undefined ? undefined : WRONG_ID}
        />
        <label htmlFor={CONFIRM_FIELD_ID}>
          Yes, delete my account with its favorites and history. This cannot be undone.
        </label>
      </div>
      <Wrong id={WRONG_ID}>{problem}</Wrong>
      <button type="submit" className={buttonClass("danger")}>
        Delete my account
      </button>
    </Form>
  );
}
