import styles from "./peony-mark.module.css";

/** The drawing of public/peony.svg in the accent color. A mask, because its ten petals would be in each page. */
export function PeonyMark() {
  return <span className={styles.mark} aria-hidden="true" />;
}
