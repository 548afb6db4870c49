import { Link } from "@remix-run/react";
import { count } from "#app/counts.ts";
import { paths } from "#app/paths.ts";
import { ErrorIcon } from "#app/ui/parts/icons.tsx";
import styles from "./list.module.css";

interface ChangeLine {
  id: string;
  title: string;
  before: string;
  after: string;
  /** With which problems it would be published, in sentences. */
  missing: string;
  isChanged: boolean;
  error: string | null;
}

export function ChangePreview({ items }: { items: ChangeLine[] }) {
  const changed = items.filter(({ isChanged }) => isChanged);
  const refused = items.filter(({ error }) => error !== null);
  const equal = items.filter(({ isChanged, error }) => !isChanged && error === null);
  const asIs = equal.length === 1 ? "it is" : "they are";
  return (
    <>
      <Lines
        title={
          changed.length === 0 ? "Nothing would change" : `${count(changed.length, "item")} would change`
        }
        items={changed}
      />
      {refused.length > 0 && (
        <Lines title={`${count(refused.length, "item")} cannot be changed`} items={refused} />
      )}
      {equal.length > 0 && (
        <Lines title={`${count(equal.length, "item")} would stay as ${asIs}`} items={equal} />
      )}
    </>
  );
}

function Lines({ title, items }: { title: string; items: ChangeLine[] }) {
  return (
    <section className={styles.group}>
      <h2>{title}</h2>
      <ul className={styles.changes}>
        {items.map(({ id, title: name, before, after, missing, isChanged, error }) => (
          <li key={id}>
            <Link to={paths.studioItem(id)}>{name}</Link>
            <span className={styles.muted}>
              {error ?? (isChanged ? `${before || "Nothing"} → ${after || "Nothing"}` : before || "Nothing")}
            </span>
            {missing !== "" && (
              <p className={styles.problem}>
                <ErrorIcon size={16} />
                <span>{missing}</span>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
