import { type FieldMetadata, getInputProps } from "@conform-to/react";
import { TextInput, type TextInputProps } from "@mantine/core";
import type { ComponentProps } from "react";
import "#app/ui/theme/mantine.css";
import styles from "./form.module.css";

interface FieldProps extends TextInputProps {
  field: FieldMetadata<string | undefined>;
  label: string;
  type?: "text" | "email" | "date" | undefined;
}

export function Field({ field, type = "text", ...rest }: FieldProps) {
  return (
    <TextInput
      {...getInputProps(field, { type, ariaAttributes: false })}
      error={field.errors?.[0]}
      size="md"
      {...rest}
    />
  );
}

/** A native checkbox: its whole label is the target, and forced colors show it. */
export function Tick({ children, ...input }: ComponentProps<"input">) {
  return (
    <label className={styles.tick}>
      <input type="checkbox" {...input} />
      <span>{children}</span>
    </label>
  );
}
