import { useEffect, useRef, useState } from "react";
import { count } from "#app/counts.ts";
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
  const bar = useRef<HTMLDivElement>(null);
  const [ticked, setTicked] = useState(0);
  // After each render, because another page of the list has other rows.
  useEffect(() => {
    const form = bar.current?.closest("form");
    const look = () => setTicked(form ? countTicked(form) : 0);
    look();
    form?.addEventListener("change", look);
    return () => form?.removeEventListener("change", look);
  });
  return (
    <div ref={bar} className={styles.bar}>
      <p role="status" className={styles.ticked}>
        {ticked > 0 && `${count(ticked, "item")} selected`}
      </p>
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
        {ticked > 0 ? `Continue with ${count(ticked, "item")}` : "Continue"}
      </button>
    </div>
  );
}

/** None when the change is for all pages. */
function countTicked(form: HTMLFormElement): number {
  const sent = new FormData(form);
  return sent.get("which") === "all" ? 0 : sent.getAll("id").length;
}
