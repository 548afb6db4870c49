import styles from "./button.module.css";

type Variant = "primary" | "quiet" | "danger";

/** Use one primary at a time. */
export function buttonClass(variant: Variant = "primary"): string {
  return `${styles.button} ${styles[variant]}`;
}
