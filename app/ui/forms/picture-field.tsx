import { TextInput } from "@mantine/core";
import "#app/ui/theme/mantine.css";
import styles from "./form.module.css";

interface PictureFieldProps {
  id: string;
  name: string;
  accept?: string;
  /** A picture is there already. */
  isThere: boolean;
  description: string;
  error: string | undefined;
}

/** Takes the file of a picture. */
export function PictureField({ isThere, ...input }: PictureFieldProps) {
  return (
    <TextInput
      type="file"
      accept="image/*"
      label={isThere ? "Another picture" : "Picture file"}
      inputWrapperOrder={["label", "input", "error", "description"]}
      size="md"
      classNames={{ input: styles.file }}
      {...input}
    />
  );
}
