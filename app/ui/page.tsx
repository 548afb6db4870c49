import type { ReactNode } from "react";
import styles from "./page.module.css";

interface PageProps {
  /** For forms and reading: about 70 characters a line. */
  narrow?: boolean;
  children: ReactNode;
}

/** The column that every page's content stands in. */
export function Page({ narrow = false, children }: PageProps) {
  return <div className={narrow ? `${styles.page} ${styles.narrow}` : styles.page}>{children}</div>;
}
