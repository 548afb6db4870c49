import { Fieldset, Input, Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { CancellationReason } from "#app/domain/billing/rules/cancellation-reasons.ts";
import styles from "#app/ui/forms/form.module.css";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import "#app/ui/theme/mantine.css";

const ID = "cancellation-reason";
const PROBLEM_ID = "cancellation-reason-problem";
const COMMENT_ID = "cancellation-reason-comment";
const HINT_ID = "cancellation-reason-hint";

const REASONS: Record<CancellationReason, string> = {
  price: "It costs too much",
  littleNew: "Too little of it is new",
  notFound: "It does not have what I look for",
  technical: "Playing or signing in did not work well",
  pause: "I need a break",
  other: "Something else",
};

interface ReasonFormProps {
  /** The form's target, which names the subscription. */
  action: string;
  commentLimit: number;
  /** A refused form comes back as it was typed. */
  refused: { problem: string; reason: string; comment: string } | undefined;
}

/** Offered once the cancellation is made, and never before: decision 150. */
export function ReasonForm({ action, commentLimit, refused }: ReasonFormProps) {
  return (
    <Form method="post" action={`${action}#${ID}`} id={ID} preventScrollReset>
      <input type="hidden" name="intent" value="reason" />
      <Stack gap="lg">
        <Fieldset legend={<h2>Why did you cancel?</h2>} variant="unstyled">
          <Stack gap="md">
            <p className={styles.hint}>You need not answer: your cancellation is made either way.</p>
            {Object.entries(REASONS).map(([reason, label]) => (
              <label key={reason} className={styles.tick}>
                <input
                  type="radio"
                  name="reason"
                  value={reason}
                  defaultChecked={refused?.reason === reason}
                />
                <span>{label}</span>
              </label>
            ))}
          </Stack>
        </Fieldset>
        <Stack gap="xs">
          <label htmlFor={COMMENT_ID}>In your own words (optional)</label>
          <Input
            component="textarea"
            id={COMMENT_ID}
            name="comment"
            rows={4}
            multiline
            size="md"
            maxLength={commentLimit}
            defaultValue={refused?.comment}
            aria-describedby={refused ? `${HINT_ID} ${PROBLEM_ID}` : HINT_ID}
            aria-invalid={refused ? true : undefined}
          />
          <p id={HINT_ID} className={styles.hint}>
            {commentLimit} characters at most. It is kept with your subscription, for whoever runs this site.
          </p>
          {refused && (
            <p id={PROBLEM_ID} role="alert" className={styles.wrong}>
              {refused.problem}
            </p>
          )}
        </Stack>
        <SubmitButton
          variant="default"
          isOurs={(sent) => sent.get("intent") === "reason"}
          busyLabel="Sending …"
        >
          Send answer
        </SubmitButton>
      </Stack>
    </Form>
  );
}

export function ReasonThanks() {
  return <p role="status">Thank you. Your answer is stored.</p>;
}
