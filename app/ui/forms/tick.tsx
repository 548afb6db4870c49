import type { ComponentProps } from "react";
import styles from "./form.module.css";

/** A native checkbox: its whole label is the target, and it shows in forced colors. */
export function Tick({ children, ...input }: ComponentProps<"input">) {
  return (
    <label className={styles.tick}>
      <input type="checkbox" {...input} />
      <span>{children}</span>
    </label>
  );
}
