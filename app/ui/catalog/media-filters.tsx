import { Form, Link } from "@remix-run/react";
import type { FilterOptions } from "#app/domain/catalog/filter-options.server.ts";
import type { ListFilters } from "#app/domain/catalog/list-filters.ts";
import { type MediaType, paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import styles from "./catalog.module.css";
import { Choice } from "./choice.tsx";

interface MediaFiltersProps {
  type: MediaType;
  filters: ListFilters;
  options: FilterOptions;
  isSignedIn: boolean;
}

const ACCESS_NAMES = [
  ["free", "Free"],
  ["member", "With an account"],
  ["subscriber", "With a subscription"],
] as const;
const SORT_NAMES = [
  ["newest", "Newest"],
  ["oldest", "Oldest"],
  ["most-watched", "Most watched"],
  ["longest", "Longest"],
  ["title", "Title"],
] as const;
const SEEN_NAMES = [
  ["seen", "Seen"],
  ["unseen", "Not seen yet"],
] as const;
const LENGTH_NAMES = {
  video: [
    ["short", "Under 5 minutes"],
    ["medium", "5 to 20 minutes"],
    ["long", "20 minutes and more"],
  ],
  photoSet: [
    ["short", "Under 12 photos"],
    ["medium", "12 to 39 photos"],
    ["long", "40 photos and more"],
  ],
} as const;

/** All of the list's state, as a form that reads the same without JavaScript. */
export function MediaFilters({ type, filters, options, isSignedIn }: MediaFiltersProps) {
  const named = (list: { slug: string; name: string }[]) =>
    list.map(({ slug, name }) => [slug, name] as const);
  return (
    <Form method="get" action={paths.list(type)} className={styles.filters} key={JSON.stringify(filters)}>
      <label className={styles.search}>
        <span>Search</span>
        <input type="search" name="q" defaultValue={filters.q ?? ""} maxLength={64} />
      </label>
      <Choice
        label="Creator"
        name="creator"
        value={filters.creator}
        any="All creators"
        options={named(options.creators)}
      />
      <Choice label="Tag" name="tag" value={filters.tag} any="All tags" options={named(options.tags)} />
      <Choice
        label="Length"
        name="length"
        value={filters.length}
        any="Any length"
        options={LENGTH_NAMES[type]}
      />
      <Choice label="Access" name="access" value={filters.access} any="Any access" options={ACCESS_NAMES} />
      {isSignedIn ? (
        <Choice label="Seen" name="seen" value={filters.seen} any="Seen or not" options={SEEN_NAMES} />
      ) : null}
      <Choice label="Sort by" name="sort" value={filters.sort} options={SORT_NAMES} />
      <button type="submit" className={buttonClass()}>
        Show
      </button>
    </Form>
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
          <Link to={without} aria-label={`Remove: ${label}`}>
            {label} <span aria-hidden="true">×</span>
          </Link>
        </li>
      ))}
      <li>
        <Link to={clear}>Clear all</Link>
      </li>
    </ul>
  );
}
