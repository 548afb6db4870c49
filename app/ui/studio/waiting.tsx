import { Link } from "@remix-run/react";
import styles from "./waiting.module.css";

export interface WaitingLine {
  to: string;
  title: string;
  about?: string | undefined;
}

export function Waiting({ lines }: { lines: WaitingLine[] }) {
  if (lines.length === 0) {
    return <p className={styles.calm}>Nothing to do.</p>;
  }
  return (
    <ul className={styles.lines}>
      {lines.map(({ to, title, about }) => (
        <li key={to}>
          <p className={styles.title}>
            <Link to={to}>{title}</Link>
          </p>
          {about !== undefined && <p className={styles.muted}>{about}</p>}
        </li>
      ))}
    </ul>
  );
}
