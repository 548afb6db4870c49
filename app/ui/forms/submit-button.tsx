import { Button, type ButtonProps } from "@mantine/core";
import { useNavigation } from "@remix-run/react";
import "#app/ui/theme/mantine.css";

interface SubmitButtonProps extends ButtonProps {
  /** The id of a form that the button is not inside of. */
  form?: string;
  isOurs?: (form: FormData) => boolean;
  busyLabel: string;
  children: string;
}

export function SubmitButton({ isOurs = () => true, busyLabel, children, ...look }: SubmitButtonProps) {
  const { formData } = useNavigation();
  const isBusy = formData !== undefined && isOurs(formData);
  return (
    <Button type="submit" aria-disabled={isBusy || undefined} {...look}>
      {isBusy ? busyLabel : children}
    </Button>
  );
}
