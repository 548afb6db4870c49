import type { ReactNode } from "react";
import styles from "./panel.module.css";

interface EmptyStateProps {
  title: string;
  children: ReactNode;
}

export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <section className={styles.empty}>
      <h2>{title}</h2>
      <div className={styles.text}>{children}</div>
    </section>
  );
}
