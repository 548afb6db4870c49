import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { type AuditChange, EntryChanges } from "../entry-changes.tsx";
import styles from "../studio.module.css";

export interface AuditEntryView {
  id: number;
  at: string;
  actor: string;
  /** Follows the actor's name. */
  did: string;
  to: string | null;
  changes: AuditChange[];
}

export function AuditList({ entries }: { entries: AuditEntryView[] }) {
  return (
    <ol className={styles.rows} reversed start={entries[0]?.id}>
      {entries.map(({ id, at, actor, did, to, changes }) => (
        <li key={id} id={`entry-${id}`}>
          <div>
            <p className={styles.entry}>
              <SiteLink to={paths.studioAudit({ actor })}>{actor}</SiteLink>{" "}
              {to === null ? did : <SiteLink to={to}>{did}</SiteLink>}
            </p>
            <EntryChanges changes={changes} />
            <p className={styles.muted}>
              {at}, entry {id}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
