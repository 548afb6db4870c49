import { buttonClass } from "#app/ui/parts/button.tsx";
import styles from "./list.module.css";

export type ChangeGroups = readonly (readonly [
  group: string,
  options: readonly (readonly [value: string, label: string])[],
])[];

interface BulkBarProps {
  changes: ChangeGroups;
  allLabel: string | null;
}

/** Stands inside the form around the rows. */
export function BulkBar({ changes, allLabel }: BulkBarProps) {
  return (
    <div className={styles.bar}>
      <label>
        <span>Items</span>
        <select name="which" defaultValue="ticked">
          <option value="ticked">Selected items</option>
          {allLabel !== null && <option value="all">{allLabel}</option>}
        </select>
      </label>
      <label>
        <span>Change</span>
        <select name="change" defaultValue="" required>
          <option value="">Choose a change</option>
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
