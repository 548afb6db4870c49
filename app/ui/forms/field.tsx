import { TextInput, type TextInputProps } from "@mantine/core";
import "./mantine.css";

interface FieldProps extends TextInputProps {
  /** The form's name for it, and the label's anchor. */
  name: string;
  label: string;
  /** Why what was sent is refused. */
  error?: string | undefined;
}

/** A labelled text field, with its error tied to it for assistive technology. */
export function Field({ name, ...rest }: FieldProps) {
  return <TextInput id={name} name={name} type="text" size="md" {...rest} />;
}
