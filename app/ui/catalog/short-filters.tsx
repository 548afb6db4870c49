import type { ReactNode } from "react";
import { buttonClass } from "#app/ui/parts/button.tsx";
import styles from "./filters.module.css";
import { Choice, ListForm, SearchRow } from "./list-form.tsx";

interface ShortFiltersProps {
  action: string;
  label: string;
  state: { q: string | null; sort: string };
  sorts: readonly (readonly [value: string, label: string])[];
  children?: ReactNode;
}

export function ShortFilters({ action, label, state, sorts, children }: ShortFiltersProps) {
  return (
    <ListForm isLine action={action} state={state}>
      {children}
      <SearchRow label={label} q={state.q} />
      <div className={styles.choices}>
        <Choice label="Sort by" name="sort" value={state.sort} options={sorts} />
        <button type="submit" className={buttonClass("quiet")}>
          Show
        </button>
      </div>
    </ListForm>
  );
}
