import { Form } from "@remix-run/react";
import { paths } from "#app/paths.ts";
import { Field } from "#app/ui/forms/field.tsx";
import styles from "#app/ui/forms/form.module.css";

interface ProfileFormProps {
  profile: {
    fullName: string;
    address: Partial<Record<"line1" | "line2" | "city" | "region" | "postalCode" | "country", string>>;
    billingMethod: string;
    paymentMethod: string;
  };
}

const ADDRESS_FIELDS = [
  ["line1", "Street and number", "address-line1", 100],
  ["line2", "Addition", "address-line2", 100],
  ["city", "City", "address-level2", 80],
  ["region", "Region", "address-level1", 80],
  ["postalCode", "Postal code", "postal-code", 20],
] as const;

export function ProfileForm({ profile }: ProfileFormProps) {
  return (
    <Form method="post" action={paths.accountAction("profile")} className={styles.form}>
      <h2>Profile</h2>
      <Field
        label="Name"
        name="full_name"
        maxLength={100}
        autoComplete="name"
        defaultValue={profile.fullName}
      />
      <h3>Billing address</h3>
      {ADDRESS_FIELDS.map(([name, label, autoComplete, maxLength]) => (
        <Field
          key={name}
          label={label}
          name={name}
          maxLength={maxLength}
          autoComplete={autoComplete}
          defaultValue={profile.address[name]}
        />
      ))}
      <Field
        label="Country, two letters"
        name="country"
        pattern="[A-Za-z]{2}"
        title="Two letters, like PT"
        maxLength={2}
        autoComplete="country"
        defaultValue={profile.address.country}
      />
      <p className={styles.hint}>
        Billing method: {profile.billingMethod}. Payment method: {profile.paymentMethod}. Both come from the
        payment provider.
      </p>
      <button type="submit" className={styles.submit}>
        Save
      </button>
    </Form>
  );
}
