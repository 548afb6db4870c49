import type { ListFilters } from "#app/domain/catalog/lists/list-filters.ts";
import { type MediaType, paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/parts/button.tsx";
import { PrefetchLink } from "../navigation/site-link.tsx";
import { ACCESS_LABELS, LENGTH_FIELD, LENGTH_LABELS, SEEN_LABELS, SORT_LABELS } from "./filter-labels.ts";
import styles from "./filters.module.css";
import { Choice, ListForm, SearchRow } from "./list-form.tsx";

export type FilterChoice = [slug: string, name: string];

export interface FilterChoices {
  creators: FilterChoice[];
  tags: FilterChoice[];
}

interface MediaFiltersProps {
  type: MediaType;
  filters: ListFilters;
  options: FilterChoices;
  /** How many filters are chosen, besides the search. */
  chosen: number;
  isSignedIn: boolean;
}

export function MediaFilters({ type, filters, options, chosen, isSignedIn }: MediaFiltersProps) {
  const { q, creator, tag, length, access, seen, sort } = filters;
  return (
    <ListForm action={paths.list(type)} state={filters}>
      <SearchRow label={type === "video" ? "Search videos" : "Search photo sets"} q={q} />
      <details className={styles.more}>
        <summary>{chosen > 0 ? `Filter and sort (${chosen})` : "Filter and sort"}</summary>
        <div className={styles.choices}>
          <Choice
            label="Creator"
            name="creator"
            value={creator}
            any="All creators"
            options={options.creators}
          />
          <Choice label="Tag" name="tag" value={tag} any="All tags" options={options.tags} />
          <Choice {...LENGTH_FIELD[type]} name="length" value={length} options={LENGTH_LABELS[type]} />
          <Choice label="Access" name="access" value={access} any="Any access" options={ACCESS_LABELS} />
          {isSignedIn ? (
            <Choice label="Seen" name="seen" value={seen} any="Seen or not" options={SEEN_LABELS} />
          ) : null}
          <Choice label="Sort by" name="sort" value={sort} options={SORT_LABELS[type]} />
          <button type="submit" className={buttonClass("quiet")}>
            Show
          </button>
        </div>
      </details>
    </ListForm>
  );
}

interface FilterChipsProps {
  chips: { label: string; without: string }[];
  clear: string;
}

export function FilterChips({ chips, clear }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Chosen filters">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <PrefetchLink to={without} aria-label={`Remove: ${label}`} className={styles.chip}>
            {label} <span aria-hidden="true">×</span>
          </PrefetchLink>
        </li>
      ))}
      <li>
        <PrefetchLink to={clear} className={styles.clear}>
          Clear all
        </PrefetchLink>
      </li>
    </ul>
  );
}
