import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import styles from "../studio.module.css";

export interface AuditEntryView {
  id: number;
  at: string;
  actor: string;
  /** The deed, worded to follow the actor's name. */
  did: string;
  /** The item's page in the studio; null for other subjects. */
  itemId: string | null;
  changes: { name: string; was: string; is: string }[];
}

export function AuditList({ entries }: { entries: AuditEntryView[] }) {
  return (
    <ol className={styles.rows} reversed start={entries[0]?.id}>
      {entries.map(({ id, at, actor, did, itemId, changes }) => (
        <li key={id} id={`entry-${id}`}>
          <div>
            <p>
              <SiteLink to={paths.studioAudit({ actor })}>{actor}</SiteLink>{" "}
              {itemId === null ? did : <SiteLink to={paths.studioItem(itemId)}>{did}</SiteLink>}
            </p>
            <p className={styles.muted}>
              {at}, entry {id}
            </p>
            {changes.length > 0 && (
              <details>
                <summary>Changes</summary>
                <ul>
                  {changes.map(({ name, was, is }) => (
                    <li key={name}>
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
