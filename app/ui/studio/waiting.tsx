import { Link } from "@remix-run/react";
import styles from "./waiting.module.css";

export interface WaitingLine {
  /** Where it is solved. */
  to: string;
  title: string;
  about: string;
}

/** One line for each thing that needs somebody; calm when nothing does. */
export function Waiting({ lines }: { lines: WaitingLine[] }) {
  if (lines.length === 0) {
    return <p className={styles.calm}>Nothing to do.</p>;
  }
  return (
    <ul className={styles.lines}>
      {lines.map(({ to, title, about }) => (
        <li key={title}>
          <p className={styles.title}>
            <Link to={to}>{title}</Link>
          </p>
          <p className={styles.muted}>{about}</p>
        </li>
      ))}
    </ul>
  );
}
