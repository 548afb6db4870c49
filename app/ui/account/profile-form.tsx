import { getFormProps, getSelectProps, type SubmissionResult, useForm } from "@conform-to/react";
import { NativeSelect } from "@mantine/core";
import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { Problem } from "#app/ui/forms/problem.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { DownIcon } from "#app/ui/icons.tsx";
import styles from "./account.module.css";
import { PROFILE_FORM_ID, PROFILE_LABELS, type ProfileField } from "./profile-labels.ts";

export interface ProfileFormProps {
  /** As stored; what is not, is empty. */
  profile: Record<ProfileField, string>;
  limits: Record<ProfileField, number>;
  countries: readonly { code: string; name: string }[];
  lastResult: SubmissionResult<string[]> | undefined;
}

export function ProfileForm({ profile, limits, countries, lastResult }: ProfileFormProps) {
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
    <Form
      method="post"
      action={paths.account()}
      preventScrollReset
      className={styles.form}
      {...getFormProps(form)}
    >
      <input type="hidden" name="intent" value="profile" />
      <Problem id={form.errorId}>{form.errors?.[0]}</Problem>
      {text("full_name", "name")}
      <fieldset className={styles.address}>
        <legend>Billing address</legend>
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
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </NativeSelect>
      </fieldset>
      <SubmitButton isOurs={(sent) => sent.get("intent") === "profile"} busyWords="Saving …">
        Save profile
      </SubmitButton>
    </Form>
  );
}
