import { Stack } from "@mantine/core";
import { paths } from "#app/paths.ts";
import { type BoxState, DecisionForm } from "#app/ui/forms/decision-form.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import "#app/ui/theme/mantine.css";
import styles from "./account.module.css";

export function ClosingAccount({ email, deletesOn }: { email: string; deletesOn: string }) {
  return (
    <>
      <header className={styles.who}>
        <h1>Your account will be deleted on {deletesOn}</h1>
        <p>Signed in as {email}</p>
      </header>
      <Stack gap="lg" className={styles.closing}>
        <p>
          You asked for this. Until then we keep everything, and you can change your mind. If you had a
          subscription, it has ended and will not restart on its own. You cannot buy anything unless you keep
          the account.
        </p>
        <KeepAccountForm action={paths.account()} box="unneeded" />
      </Stack>
    </>
  );
}

export function KeepAccountForm({ action, box }: { action: string; box: BoxState }) {
  return (
    <DecisionForm action={action} intent="keep" box={box} sentence="Yes, I want to keep my account.">
      <SubmitButton isOurs={(sent) => sent.get("intent") === "keep"} busyLabel="One moment …">
        Keep my account
      </SubmitButton>
    </DecisionForm>
  );
}
