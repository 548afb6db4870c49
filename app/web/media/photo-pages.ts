import { gridPageQuery, PHOTOS_A_PAGE, type ViewAs, withQuery } from "#app/paths.ts";

/** More than any set has, and within an integer of PostgreSQL. */
const MAX_PAGE = 1_000_000;

export function gridPageIn(address: string): number {
  const wanted = Number.parseInt(new URL(address).searchParams.get("page") ?? "", 10) || 1;
  return Math.min(Math.max(wanted, 1), MAX_PAGE);
}

interface OpenPhotos {
  photos: unknown[];
  total: number;
}

export function gridPage({ photos, total }: OpenPhotos, wanted: number, path: string, as?: ViewAs | null) {
  const pages = Math.max(Math.ceil(total / PHOTOS_A_PAGE), 1);
  const page = Math.min(wanted, pages);
  const first = (page - 1) * PHOTOS_A_PAGE + 1;
  const pathOf = (number: number) => withQuery(path, { ...gridPageQuery(number), as: as ?? undefined });
  return {
    own: gridPageQuery(page),
    // Counted here, because a locked set shows photos from anywhere in the set.
    shown: pages > 1 ? `Photos ${first} to ${first + photos.length - 1} of ${total}` : null,
    previous: page > 1 ? pathOf(page - 1) : null,
    next: page < pages ? pathOf(page + 1) : null,
  };
}
