import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import styles from "./form.module.css";
import { FormError } from "./form-error.tsx";
import { SubmitButton } from "./submit-button.tsx";

interface HoneypotFieldProps {
  field: FieldMetadata<string | undefined>;
  children?: ReactNode;
}

/** Once filled in, the form is sent without it: a password manager would fill it in again. */
export function HoneypotField({ field, children }: HoneypotFieldProps) {
  if (field.errors !== undefined) {
    return (
      <FormError id={field.errorId}>
        <p>{field.errors[0]}</p>
        <SubmitButton busyLabel="Sending …">Send it without that field</SubmitButton>
        {children}
      </FormError>
    );
  }
  return <HoneypotInput name={field.name} />;
}

export function HoneypotInput({ name }: { name: string }) {
  return (
    <div className={styles.aside} aria-hidden="true">
      <label>
        Leave this field empty
        <input
          type="text"
          name={name}
          tabIndex={-1}
          autoComplete="off"
          data-1p-ignore
          data-lpignore
          data-bwignore
          data-form-type="other"
        />
      </label>
    </div>
  );
}
