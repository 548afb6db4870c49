import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import styles from "./filters.module.css";

interface ListFormProps {
  action: string;
  /** What the list shows now: the fields begin anew when it changes. */
  state: object;
  /** Search and order side by side, nothing to fold away. */
  isLine?: boolean;
  children: ReactNode;
}

/** A list's state as a form; the URL keeps it, so a browser that goes back may not fill in what was typed since. */
export function ListForm({ action, state, isLine = false, children }: ListFormProps) {
  return (
    <Form
      method="get"
      action={action}
      autoComplete="off"
      className={isLine ? `${styles.form} ${styles.line}` : styles.form}
      key={JSON.stringify(state)}
    >
      {children}
    </Form>
  );
}
