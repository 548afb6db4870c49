import type { HTMLAttributes } from "react";
import styles from "./page.module.css";

interface PageProps extends HTMLAttributes<HTMLDivElement> {
  /** For forms and prose: about 70 characters per line. */
  narrow?: boolean;
}

export function Page({ narrow = false, ...rest }: PageProps) {
  return <div className={narrow ? `${styles.page} ${styles.narrow}` : styles.page} {...rest} />;
}
