import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { PriceTexts } from "#app/domain/billing/offers/price-texts.ts";
import { paths } from "#app/paths.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { ErrorIdLine, FormError } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import "#app/ui/theme/mantine.css";

interface PriceFormProps {
  isPrepaid: boolean;
  refused: SubmissionResult<string[]> | undefined;
  errorId: string | undefined;
}

export function PriceForm({ isPrepaid, refused, errorId }: PriceFormProps) {
  const [form, fields] = useForm<PriceTexts, string[]>({
    id: "price",
    lastResult: refused,
    defaultValue: { days: "30" },
  });
  const number = { inputMode: "decimal" as const, autoComplete: "off", maxLength: 20 };
  return (
    <Form method="post" action={paths.studioPlans()} preventScrollReset {...getFormProps(form)} noValidate>
      <input type="hidden" name="intent" value="add" />
      <Stack gap="lg">
        <FormError id={form.errorId}>{form.errors?.[0] ?? refused?.error?.intent?.[0]}</FormError>
        <Field
          field={fields.plan}
          label="Plan"
          description="Prices with the same name belong to one plan. Buyers read it, for example “Membership”."
          autoComplete="off"
          maxLength={100}
        />
        <Field field={fields.amount} label="Amount" description="For example 9.99" {...number} />
        <Field
          field={fields.currency}
          label="Currency"
          description="Its three letters, for example USD"
          autoComplete="off"
          maxLength={3}
        />
        <Field
          field={fields.days}
          label="Period in days"
          description={
            isPrepaid
              ? "Paid once. Nothing renews, and a further period is another purchase."
              : "Subscribers are charged each time a period begins."
          }
          {...number}
        />
        <Field
          field={fields.firstDays}
          label="First period in days (optional)"
          description="A free trial, or a first period at a lower price."
          {...number}
        />
        <Field
          field={fields.firstAmount}
          label="Amount for the first period"
          description="0 for a free trial."
          {...number}
        />
        <ErrorIdLine id={errorId} />
        <SubmitButton isOurs={(sent) => sent.get("intent") === "add"} busyLabel="Saving …">
          Add the price
        </SubmitButton>
      </Stack>
    </Form>
  );
}
