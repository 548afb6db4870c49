import { buttonClass } from "#app/ui/parts/button.tsx";
import styles from "./list.module.css";

export type ChangeGroups = readonly (readonly [
  group: string,
  options: readonly (readonly [value: string, label: string])[],
])[];

interface BulkBarProps {
  changes: ChangeGroups;
  /** Says which items besides the ticked ones can be chosen; null for none. */
  allLabel: string | null;
}

/** Inside of the form around the rows, after them. It stays in sight while any is ticked. */
export function BulkBar({ changes, allLabel }: BulkBarProps) {
  return (
    <div className={styles.bar}>
      <label>
        <span>Items</span>
        <select name="which" defaultValue="ticked">
          <option value="ticked">The ticked items</option>
          {allLabel !== null && <option value="all">{allLabel}</option>}
        </select>
      </label>
      <label>
        <span>Change</span>
        <select name="change" defaultValue="" required>
          <option value="">Please choose</option>
          {changes.map(([group, options]) => (
            <optgroup key={group} label={group}>
              {options.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <button type="submit" className={buttonClass()}>
        Continue
      </button>
    </div>
  );
}
