import { Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import "#app/ui/theme/mantine.css";
import { Tick } from "./field.tsx";
import styles from "./form.module.css";

const REFUSED_ID = "decision-refused";
const WRONG_ID = "decision-confirm-error";

/** `unneeded`: signed in. `wanted`: an emailed link led here. `missing`: the box was left empty. */
export type BoxState = "unneeded" | "wanted" | "missing";

export function boxState(isMailed: boolean, outcome: string | undefined): BoxState {
  if (!isMailed) return "unneeded";
  return outcome === "unticked" ? "missing" : "wanted";
}

interface DecisionFormProps {
  action: string;
  intent: "cancel" | "withdraw" | "keep";
  box: BoxState;
  sentence: string;
  children: ReactNode;
}

/** Behind an emailed link the button has a box: decision 140. Programs that fill in forms look for `required`, so it is not. */
export function DecisionForm({ action, intent, box, sentence, children }: DecisionFormProps) {
  const isMissing = box === "missing";
  const target = box === "unneeded" ? action : `${action}#${REFUSED_ID}`;
  return (
    <Form method="post" action={target} preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <Stack gap="lg">
        {box !== "unneeded" && (
          <Stack gap="xs" id={isMissing ? REFUSED_ID : undefined} className={styles.refused}>
            <Tick
              name="confirm"
              value="yes"
              aria-required
              aria-invalid={isMissing || undefined}
              aria-describedby={isMissing ? WRONG_ID : undefined}
            >
              {sentence}
            </Tick>
            {isMissing && (
              <p id={WRONG_ID} role="alert" className={styles.wrong}>
                Nothing was changed. Please tick the box, then press the button again.
              </p>
            )}
          </Stack>
        )}
        {children}
      </Stack>
    </Form>
  );
}
