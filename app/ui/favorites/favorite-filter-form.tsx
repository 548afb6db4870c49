import type { FavoriteFilters } from "#app/domain/favorites/favorite-filters.ts";
import { paths } from "#app/paths.ts";
import catalog from "#app/ui/catalog/catalog.module.css";
import { ShortFilters } from "#app/ui/catalog/list-form.tsx";
import { PrefetchLink } from "#app/ui/navigation/site-link.tsx";

interface FavoriteFilterFormProps {
  filters: FavoriteFilters;
  counts: { all: number; video: number; photoSet: number };
}

const KINDS = [
  [undefined, "All", "all"],
  ["video", "Videos", "video"],
  ["photoSet", "Photos", "photoSet"],
] as const;
const SORT_LABELS = [
  ["marked", "Last marked"],
  ["newest", "Newest"],
  ["title", "Title"],
] as const;

export function FavoriteFilterForm({ filters, counts }: FavoriteFilterFormProps) {
  const { type, q, sort } = filters;
  const kept = { q: q ?? undefined, sort: sort === "marked" ? undefined : sort };
  return (
    <>
      <nav aria-label="Kinds of favorites">
        <ul className={catalog.tabs}>
          {KINDS.map(([kind, label, counted]) => (
            <li key={label}>
              <PrefetchLink
                to={paths.favorites({ type: kind, ...kept })}
                aria-current={(kind ?? null) === type ? "page" : undefined}
              >
                {label} ({counts[counted]})
              </PrefetchLink>
            </li>
          ))}
        </ul>
      </nav>
      {counts.all > 1 || q ? (
        <ShortFilters
          action={paths.favorites()}
          label="Search your favorites"
          state={filters}
          sorts={SORT_LABELS}
        >
          {type ? <input type="hidden" name="type" value={type} /> : null}
        </ShortFilters>
      ) : null}
    </>
  );
}
