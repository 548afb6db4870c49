import { Button, Stack } from "@mantine/core";
import { Form, Link } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { Tick } from "#app/ui/forms/field.tsx";
import styles from "#app/ui/forms/form.module.css";
import "#app/ui/theme/mantine.css";

export const CONFIRM_FIELD_ID = "delete-confirm";
const ERROR_ID = "delete-confirm-error";

interface DeleteFormProps {
  error: string | undefined;
  hasFreshSignIn: boolean;
  undoDays: number;
  endsSubscription: boolean;
  isPrepaid: boolean;
}

export function DeleteForm({
  error,
  hasFreshSignIn,
  undoDays,
  endsSubscription,
  isPrepaid,
}: DeleteFormProps) {
  if (!hasFreshSignIn) {
    return (
      <>
        <p>
          You signed in a while ago, so please confirm first that it is you. After you delete the account, you
          can undo the deletion for {undoDays} days.
        </p>
        <Button component={Link} to={paths.confirm("delete")} variant="default">
          Confirm that it is me
        </Button>
      </>
    );
  }
  return (
    <Form method="post" action={paths.account()} preventScrollReset>
      <input type="hidden" name="intent" value="delete" />
      <Stack gap="lg">
        {endsSubscription && (
          <p>
            Your subscription ends first. You will lose the time that is left, and you will not be charged
            again. To use what you have paid for,{" "}
            {isPrepaid
              ? "delete your account after its end."
              : "cancel it instead and delete your account later."}
          </p>
        )}
        <Tick
          id={CONFIRM_FIELD_ID}
          name="confirm"
          value="yes"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : ERROR_ID}
        >
          Yes, delete my account with its favorites and history. I can undo this for {undoDays} days.
        </Tick>
        {error !== undefined && (
          <p id={ERROR_ID} className={styles.wrong}>
            {error}
          </p>
        )}
        <Button type="submit" variant="outline" color="red">
          Delete my account
        </Button>
      </Stack>
    </Form>
  );
}
