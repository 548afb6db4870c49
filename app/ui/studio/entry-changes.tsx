import styles from "./studio.module.css";

export interface AuditChange {
  field: string;
  name: string;
  was: string;
  is: string;
}

/** About two lines of a phone. */
const SHORT = 120;

/** A long text is folded. */
export function EntryChanges({ changes }: { changes: AuditChange[] }) {
  return changes.map(({ field, name, was, is }) => {
    const change = `${was} → ${is}`;
    return change.length <= SHORT ? (
      <p key={field} className={styles.muted}>
        {name}: {change}
      </p>
    ) : (
      <details key={field} className={styles.muted}>
        <summary>{name}</summary>
        <p>{change}</p>
      </details>
    );
  });
}
