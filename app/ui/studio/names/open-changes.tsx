import { Link } from "@remix-run/react";
import type { NameChange } from "#app/domain/catalog/edit/names/name-changes.server.ts";
import { paths } from "#app/paths.ts";
import { count } from "#app/ui/parts/format-length.ts";
import styles from "./names.module.css";

/** The work that the queue has with a name, each with the page that shows how far it is. */
export function OpenChanges({ changes }: { changes: NameChange[] }) {
  if (changes.length === 0) return null;
  return (
    <div className={styles.open} role="status">
      {changes.map((change) => (
        <p key={change.id}>
          {sentenceOf(change)} <Link to={paths.studioNameChange(change.id)}>See how far it is</Link>
        </p>
      ))}
    </div>
  );
}

function sentenceOf({ action, subjectName, targetName, done, total }: NameChange): string {
  const part = `${done.toLocaleString("en")} of ${count(total, "item")} done.`;
  switch (action) {
    case "rename":
      return `Pages show the new name already; the search follows: ${part}`;
    case "merge":
      return `“${subjectName}” is being merged into “${targetName}”: ${part}`;
    case "delete":
      return `“${subjectName}” is being deleted: ${part}`;
  }
}
