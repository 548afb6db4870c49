import { gridPageQuery, PHOTOS_A_PAGE, type ViewAs, withQuery } from "#app/paths.ts";

/** More than any set has, and few enough for PostgreSQL to number their photos. */
const MAX_PAGE = 1_000_000;

/** The page that an address names by `?page=`, from 1. */
export function gridPageIn(address: string): number {
  const wanted = Number.parseInt(new URL(address).searchParams.get("page") ?? "", 10) || 1;
  return Math.min(Math.max(wanted, 1), MAX_PAGE);
}

interface OpenPhotos {
  /** Those of the page; of the last one when there is no such page. */
  photos: unknown[];
  /** The number of photos on all pages. */
  total: number;
}

/** The words and neighbors of a page of a set's grid. `as` stays for the neighbors. */
export function gridPage({ photos, total }: OpenPhotos, wanted: number, path: string, as?: ViewAs | null) {
  const pages = Math.max(Math.ceil(total / PHOTOS_A_PAGE), 1);
  const page = Math.min(wanted, pages);
  const first = (page - 1) * PHOTOS_A_PAGE + 1;
  const pathOf = (number: number) => withQuery(path, { ...gridPageQuery(number), as: as ?? undefined });
  return {
    own: gridPageQuery(page),
    // Not their positions: a locked set shows photos from all over it.
    shown: pages > 1 ? `Photos ${first} to ${first + photos.length - 1} of ${total}` : null,
    previous: page > 1 ? pathOf(page - 1) : null,
    next: page < pages ? pathOf(page + 1) : null,
  };
}
