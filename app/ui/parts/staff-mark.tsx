import { Link } from "@remix-run/react";
import { VIEW_AS, type ViewAs } from "#app/paths.ts";
import styles from "./staff-mark.module.css";

interface StaffMarkProps {
  /** Why the public does not see the item. */
  state: string | null;
  /** Null for a guest with a draft link. */
  studio: string | null;
  as: ViewAs | null;
  here: string;
}

/** Plain markup, because watch pages load none of Mantine's styles. */
export function StaffMark({ state, studio, as, here }: StaffMarkProps) {
  return (
    <aside
      className={state === null ? styles.mark : `${styles.mark} ${styles.hidden}`}
      aria-label="For the staff"
    >
      {state === null ? null : <strong className={styles.state}>{state}</strong>}
      <p>{sentence(state, studio, as)}</p>
      {studio === null ? null : (
        <ul className={styles.links}>
          <li>
            <Link to={studio}>Open in the studio</Link>
          </li>
          {VIEW_AS.filter((other) => other !== as).map((other) => (
            <li key={other}>
              <Link to={`${here}?as=${other}`}>See it as a {other}</Link>
            </li>
          ))}
          {as === null ? null : (
            <li>
              <Link to={here}>See it as yourself</Link>
            </li>
          )}
        </ul>
      )}
    </aside>
  );
}

function sentence(state: string | null, studio: string | null, as: ViewAs | null): string {
  if (studio === null) return "This is not public yet. You see it because you have a link to it.";
  const shown = as === null ? "" : `You see this page as a ${as} ${state === null ? "does" : "will"}. `;
  return `${shown}${state === null ? "Everybody can find this." : "The public cannot find this."}`;
}
