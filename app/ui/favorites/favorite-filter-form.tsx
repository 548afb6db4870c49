import type { FavoriteFilters } from "#app/domain/favorites/favorite-filters.ts";
import type { FavoriteCounts } from "#app/domain/favorites/favorite-pages.server.ts";
import { paths } from "#app/paths.ts";
import catalog from "#app/ui/catalog/catalog.module.css";
import { ShortFilters } from "#app/ui/catalog/list-form.tsx";
import { PrefetchLink } from "#app/ui/navigation/site-link.tsx";

interface FavoriteFilterFormProps {
  filters: FavoriteFilters;
  counts: FavoriteCounts;
}

const KINDS = [
  [undefined, "Works", "all"],
  ["video", "Videos", "video"],
  ["photoSet", "Sets", "photoSet"],
  ["photo", "Photos", "photo"],
] as const;
const SORT_LABELS = [
  ["marked", "Last marked"],
  ["newest", "Newest"],
  ["title", "Title"],
] as const;

export function FavoriteFilterForm({ filters, counts }: FavoriteFilterFormProps) {
  const { type, ofPhotos, q, sort } = filters;
  const shown = ofPhotos ? "photo" : (type ?? undefined);
  const kept = { q: q ?? undefined, sort: sort === "marked" ? undefined : sort };
  return (
    <>
      <nav aria-label="Kinds of favorites">
        <ul className={catalog.tabs}>
          {KINDS.map(([kind, label, counted]) => (
            <li key={label}>
              <PrefetchLink
                to={paths.favorites(kind === "photo" ? { type: kind } : { type: kind, ...kept })}
                aria-current={kind === shown ? "page" : undefined}
              >
                {label} ({counts[counted]})
              </PrefetchLink>
            </li>
          ))}
        </ul>
      </nav>
      {!ofPhotos && (counts.all > 1 || q) ? (
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
