import { Link } from "@remix-run/react";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { type AuditChange, EntryChanges } from "../entry-changes.tsx";
import styles from "./item.module.css";

interface ItemHistoryProps {
  entries: {
    id: number;
    at: string;
    actor: string;
    did: string;
    changes: AuditChange[];
  }[];
  all: string | null;
  timeZone: string;
  subject?: string;
}

export function ItemHistory({ entries, all, timeZone, subject = "item" }: ItemHistoryProps) {
  return (
    <FormSection
      id="history"
      title="History"
      isAlone
      about={<p>Latest changes first. Times are in {timeZone}.</p>}
    >
      {entries.length === 0 ? (
        <p className={styles.muted}>No changes are logged.</p>
      ) : (
        <ol className={styles.lines}>
          {entries.map(({ id, at, actor, did, changes }) => (
            <li key={id}>
              <div>
                <p>
                  {actor} {did}
                </p>
                <EntryChanges changes={changes} />
                <p className={styles.muted}>{at}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
      {all !== null && (
        <p>
          <Link to={all}>All entries about this {subject}</Link>
        </p>
      )}
    </FormSection>
  );
}
