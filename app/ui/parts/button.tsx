import styles from "./button.module.css";

type Variant = "primary" | "quiet" | "danger";

/** For links and buttons: `<Link className={buttonClass()}>`. Use one primary at a time. */
export function buttonClass(variant: Variant = "primary"): string {
  return `${styles.button} ${styles[variant]}`;
}
