import type { ReactNode } from "react";
import styles from "./visually-hidden.module.css";

/** Words for assistive technology where a picture already tells the eye. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}
