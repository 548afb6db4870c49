import type { ReactNode } from "react";
import styles from "./page.module.css";

interface PageProps {
  /** For forms and prose: about 70 characters per line. */
  narrow?: boolean;
  children: ReactNode;
}

export function Page({ narrow = false, children }: PageProps) {
  return <div className={narrow ? `${styles.page} ${styles.narrow}` : styles.page}>{children}</div>;
}
