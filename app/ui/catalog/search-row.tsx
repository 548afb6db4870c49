import { buttonClass } from "#app/ui/button.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./filters.module.css";

interface SearchRowProps {
  /** Also what the field shows while it is empty. */
  label: string;
  q: string | null;
}

/** The first row of a list's form: words, and the button that takes the whole form along. */
export function SearchRow({ label, q }: SearchRowProps) {
  return (
    <div className={styles.search}>
      <label>
        <VisuallyHidden>{label}</VisuallyHidden>
        <input type="search" name="q" defaultValue={q ?? ""} maxLength={64} placeholder={label} />
      </label>
      <button type="submit" className={buttonClass()}>
        Search
      </button>
    </div>
  );
}
