import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import styles from "../studio.module.css";
import type { AuditChange } from "./audit-texts.ts";

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
            <p className={styles.muted}>
              {at}, entry {id}
            </p>
            {changes.length > 0 && (
              <details>
                <summary>Changes</summary>
                <ul>
                  {changes.map(({ field, name, was, is }) => (
                    <li key={field}>
                      {name}: {was} → {is}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
