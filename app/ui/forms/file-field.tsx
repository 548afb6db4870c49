import { TextInput } from "@mantine/core";
import "#app/ui/theme/mantine.css";
import styles from "./form.module.css";

interface FileFieldProps {
  id: string;
  /** The id of a form that the field is not inside of. */
  form?: string;
  name: string;
  label: string;
  accept: string;
  multiple?: boolean;
  description: string;
  error: string | undefined;
}

export function FileField(input: FileFieldProps) {
  return <TextInput type="file" size="md" classNames={{ input: styles.file }} {...input} />;
}
