import { type FieldMetadata, getInputProps } from "@conform-to/react";
import { TextInput, type TextInputProps } from "@mantine/core";
import "#app/ui/theme/mantine.css";

interface FieldProps extends TextInputProps {
  field: FieldMetadata<string | undefined>;
  label: string;
  type?: "text" | "email";
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
