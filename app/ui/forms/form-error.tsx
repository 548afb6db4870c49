import { Alert } from "@mantine/core";
import { ErrorIcon } from "#app/ui/parts/icons.tsx";
import "#app/ui/theme/mantine.css";
import type { ReactNode } from "react";
import styles from "./form.module.css";

/** For a form sent without one of its buttons. */
export const INCOMPLETE = "The form was not complete, so nothing was changed. Please press the button again.";

interface FormErrorProps {
  id?: string | undefined;
  children: ReactNode;
}

export function FormError({ id, children }: FormErrorProps) {
  if (children === undefined) return null;
  return (
    <Alert id={id} color="red" icon={<ErrorIcon />}>
      {children}
    </Alert>
  );
}

export function ErrorIdLine({ id }: { id: string | undefined }) {
  if (!id) return null;
  return (
    <p className={styles.errorId}>
      Error id: <code>{id}</code>
    </p>
  );
}
