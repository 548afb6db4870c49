import { getFormProps, getSelectProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Fieldset, NativeSelect, Stack } from "@mantine/core";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { paths } from "#app/paths.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { DownIcon } from "#app/ui/parts/icons.tsx";
import "#app/ui/theme/mantine.css";
import styles from "./account.module.css";

export const PROFILE_FORM_ID = "profile-form";

export const PROFILE_LABELS = {
  full_name: "Name",
  line1: "Street and number",
  line2: "Apartment, floor or company",
  postalCode: "Postal code",
  city: "City",
  region: "State or region",
  country: "Country",
} as const;

type ProfileField = keyof typeof PROFILE_LABELS;

export interface ProfileFormProps {
  profile: Record<ProfileField, string>;
  limits: Record<ProfileField, number>;
  countryOptions: ReactNode;
  lastResult: SubmissionResult<string[]> | undefined;
}

export function ProfileForm({ profile, limits, countryOptions, lastResult }: ProfileFormProps) {
  const [form, fields] = useForm<Record<ProfileField, string>, string[]>({
    id: PROFILE_FORM_ID,
    lastResult,
    defaultValue: profile,
    constraint: Object.fromEntries(Object.entries(limits).map(([name, maxLength]) => [name, { maxLength }])),
  });
  const text = (name: ProfileField, autoComplete: string) => (
    <Field field={fields[name]} label={PROFILE_LABELS[name]} autoComplete={autoComplete} />
  );
  return (
    <Form method="post" action={paths.account()} preventScrollReset {...getFormProps(form)}>
      <input type="hidden" name="intent" value="profile" />
      <Stack gap="lg">
        <FormError id={form.errorId}>{form.errors?.[0]}</FormError>
        {text("full_name", "name")}
        <Fieldset legend="Billing address" variant="unstyled" classNames={{ legend: styles.legend }}>
          <Stack gap="lg">
            {text("line1", "address-line1")}
            {text("line2", "address-line2")}
            <div className={styles.pair}>
              {text("postalCode", "postal-code")}
              {text("city", "address-level2")}
            </div>
            {text("region", "address-level1")}
            <NativeSelect
              {...getSelectProps(fields.country, { ariaAttributes: false })}
              label={PROFILE_LABELS.country}
              error={fields.country.errors?.[0]}
              autoComplete="country"
              size="md"
              rightSection={<DownIcon />}
            >
              <option value="">Not given</option>
              {countryOptions}
            </NativeSelect>
          </Stack>
        </Fieldset>
        <SubmitButton isOurs={(sent) => sent.get("intent") === "profile"} busyLabel="Saving …">
          Save profile
        </SubmitButton>
      </Stack>
    </Form>
  );
}
