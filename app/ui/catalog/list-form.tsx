import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { SEARCH_LENGTH_LIMIT } from "#app/domain/catalog/lists/list-filters.ts";
import { buttonClass } from "#app/ui/parts/button.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import styles from "./filters.module.css";

/** A component imports no values of the domain; the compiler compares the two. */
const MAX_LENGTH: typeof SEARCH_LENGTH_LIMIT = 64;

interface ListFormProps {
  action: string;
  /** The fields reset when it changes. */
  state: object;
  isLine?: boolean;
  children: ReactNode;
}

/** Autocomplete is off: the URL holds the state, so a browser that goes back must not restore later input. */
export function ListForm({ action, state, isLine = false, children }: ListFormProps) {
  return (
    <Form
      method="get"
      action={action}
      autoComplete="off"
      className={isLine ? `${styles.form} ${styles.line}` : styles.form}
      key={JSON.stringify(state)}
    >
      {children}
    </Form>
  );
}

interface SearchRowProps {
  label: string;
  q: string | null;
}

export function SearchRow({ label, q }: SearchRowProps) {
  return (
    <div className={styles.search}>
      <label>
        <VisuallyHidden>{label}</VisuallyHidden>
        <input type="search" name="q" defaultValue={q ?? ""} maxLength={MAX_LENGTH} placeholder={label} />
      </label>
      <button type="submit" className={buttonClass()}>
        Search
      </button>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  name: string;
  value: string | null;
  any?: string;
  options: readonly (readonly [value: string, label: string])[];
}

export function Choice({ label, name, value, any, options }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select name={name} defaultValue={value ?? ""}>
        {any === undefined ? null : <option value="">{any}</option>}
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

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
