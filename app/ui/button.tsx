import styles from "./button.module.css";

type Variant = "primary" | "quiet" | "danger";

/** For links and buttons alike: `<Link className={buttonClass()}>`. One primary at a time. */
export function buttonClass(variant: Variant = "primary"): string {
  return `${styles.button} ${styles[variant]}`;
}
