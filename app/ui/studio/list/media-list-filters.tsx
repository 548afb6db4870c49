import { paths } from "#app/paths.ts";
import filters from "#app/ui/catalog/filters.module.css";
import { Choice, ListForm, SearchRow } from "#app/ui/catalog/list-form.tsx";
import { buttonClass } from "#app/ui/parts/button.tsx";

type Options = readonly (readonly [value: string, label: string])[];

export interface ChoiceField {
  name: string;
  label: string;
  /** The label of no choice; undefined where one is always chosen. */
  any: string | undefined;
  value: string | null;
  options: Options;
}

interface MediaListFiltersProps {
  q: string | null;
  fields: ChoiceField[];
  /** How many of them narrow the list. */
  chosen: number;
}

export function MediaListFilters({ q, fields, chosen }: MediaListFiltersProps) {
  return (
    <ListForm action={paths.studioMedia()} state={{ q, values: fields.map(({ value }) => value) }}>
      <SearchRow label="Search titles, creators and tags" q={q} />
      <details className={filters.more}>
        <summary>{chosen > 0 ? `Filter and sort (${chosen})` : "Filter and sort"}</summary>
        <div className={filters.choices}>
          {fields.map(({ name, label, any, value, options }) => (
            <Choice
              key={name}
              name={name}
              label={label}
              value={value}
              options={options}
              {...(any === undefined ? {} : { any })}
            />
          ))}
          <button type="submit" className={buttonClass("quiet")}>
            Show
          </button>
        </div>
      </details>
    </ListForm>
  );
}
