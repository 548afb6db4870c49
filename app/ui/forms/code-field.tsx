import { Alert, Button, TextInput } from "@mantine/core";
import { paths } from "#app/paths.ts";
import { MAX_CODE_LENGTH } from "#app/texts.ts";
import "#app/ui/theme/mantine.css";
import type { RequestedCode } from "#app/web/forms/confirm-in-form.server.ts";
import styles from "./form.module.css";

interface CodeFieldProps {
  code: RequestedCode;
  hasOutbox: boolean;
}

/** Stands before the button of a form that needs a newer sign-in. */
export function CodeField({ code: { maskedEmail, error }, hasOutbox }: CodeFieldProps) {
  return (
    <>
      <Alert role="status" color="pink">
        You signed in a while ago, so we sent a code to <span className={styles.address}>{maskedEmail}</span>.
        Nothing has changed yet. Type the code, then press the button again.
        {hasOutbox && (
          <>
            {" "}
            This is a demo. Its emails are in the{" "}
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
        error={error}
        size="md"
        required
        withAsterisk={false}
        maxLength={MAX_CODE_LENGTH}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        classNames={{ input: styles.code }}
      />
    </>
  );
}

/** Stands after the form's own button, which the Enter key must press. */
export function AnotherCodeButton() {
  return (
    <Button type="submit" name="again" value="yes" variant="subtle" formNoValidate>
      Send another code
    </Button>
  );
}
