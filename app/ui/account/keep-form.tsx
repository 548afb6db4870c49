import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";

/** Takes a cancellation back, of the subscription that counts unless another is named. */
export function KeepForm({ subscription }: { subscription?: string }) {
  return (
    <Form method="post" action={paths.accountAction("subscription", { subscription })}>
      <input type="hidden" name="intent" value="keep" />
      <SubmitButton isOurs={(sent) => sent.get("intent") === "keep"} busyWords="Keeping it …">
        Keep my subscription
      </SubmitButton>
    </Form>
  );
}
