import { Alert, Button, TextInput } from "@mantine/core";
import { paths } from "#app/paths.ts";
import "#app/ui/theme/mantine.css";
import styles from "./form.module.css";

export const CODE_NEEDED =
  "You signed in a while ago. Type the code from our mail, and press the button once more.";

/** A code that was mailed. `problem`: why the last one that was typed does not count. */
export interface RequestedCode {
  maskedEmail: string;
  problem: string | null;
}

interface CodeFieldProps {
  code: RequestedCode;
  /** Whether the demo shows its mails. */
  hasOutbox: boolean;
}

/** Stands in a form that was sent with a sign-in too old for it, before the form's button. */
export function CodeField({ code: { maskedEmail, problem }, hasOutbox }: CodeFieldProps) {
  return (
    <>
      <Alert role="status" color="pink">
        You signed in a while ago, so we sent a code to <span className={styles.address}>{maskedEmail}</span>.
        Nothing was changed yet. Type the code and press the button once more.
        {hasOutbox && (
          <>
            {" "}
            This is a demo: its mails are in the{" "}
            <a href={paths.outbox()} target="_blank" rel="noreferrer">
              outbox
            </a>
            .
          </>
        )}
      </Alert>
      <TextInput
        name="code"
        label="Code"
        error={problem}
        size="md"
        required
        withAsterisk={false}
        maxLength={40}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        classNames={{ input: styles.code }}
      />
    </>
  );
}

/** Stands after the form's own button, which the Enter key has to press. */
export function AnotherCodeButton() {
  return (
    <Button type="submit" name="again" value="yes" variant="subtle" formNoValidate>
      Send another code
    </Button>
  );
}
