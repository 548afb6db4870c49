import type { ReactNode } from "react";
import { buttonClass } from "#app/ui/button.tsx";
import { Choice } from "./choice.tsx";
import styles from "./filters.module.css";
import { ListForm } from "./list-form.tsx";
import { SearchRow } from "./search-row.tsx";

interface ShortFiltersProps {
  action: string;
  /** Also what the search field shows while it is empty. */
  label: string;
  state: { q: string | null; sort: string };
  sorts: readonly (readonly [value: string, label: string])[];
  /** Hidden fields: what else the list is narrowed to. */
  children?: ReactNode;
}

/** Words and order, for a list that has nothing else to choose. */
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
