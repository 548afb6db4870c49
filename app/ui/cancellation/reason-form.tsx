import { Fieldset, Input, Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { CancellationReason } from "#app/domain/billing/rules/cancellation-reasons.ts";
import styles from "#app/ui/forms/form.module.css";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import "#app/ui/theme/mantine.css";

const ID = "cancellation-reason";
const ERROR_ID = "cancellation-reason-problem";
const COMMENT_ID = "cancellation-reason-comment";
const HINT_ID = "cancellation-reason-hint";

const REASONS: Record<CancellationReason, string> = {
  price: "It costs too much",
  littleNew: "Not enough new videos or photos",
  notFound: "It does not have what I am looking for",
  technical: "Playback or signing in did not work well",
  pause: "I need a break",
  other: "Something else",
};

interface ReasonFormProps {
  action: string;
  commentLimit: number;
  refused: { error: string; reason: string; comment: string } | undefined;
}

/** Shown only after the cancellation: decision 150. */
export function ReasonForm({ action, commentLimit, refused }: ReasonFormProps) {
  return (
    <Form method="post" action={`${action}#${ID}`} id={ID} preventScrollReset>
      <input type="hidden" name="intent" value="reason" />
      <Stack gap="lg">
        <Fieldset legend={<h2>Why did you cancel?</h2>} variant="unstyled">
          <Stack gap="md">
            <p className={styles.hint}>You do not have to answer. Your cancellation stands either way.</p>
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
            aria-describedby={refused ? `${HINT_ID} ${ERROR_ID}` : HINT_ID}
            aria-invalid={refused ? true : undefined}
          />
          <p id={HINT_ID} className={styles.hint}>
            Up to {commentLimit} characters. We keep it with your subscription, for the people who run this
            site.
          </p>
          {refused && (
            <p id={ERROR_ID} role="alert" className={styles.wrong}>
              {refused.error}
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
  return <p role="status">Thank you. We have saved your answer.</p>;
}
