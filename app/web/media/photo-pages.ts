import { type Eyes, gridPageQuery, PHOTOS_A_PAGE, withQuery } from "#app/paths.ts";

/**
 * The photos of one page of a set's grid, `?page=` from 1; the nearest page when there is no such one. Its neighbours are
 * seen with the same borrowed eyes.
 */
export function gridPage<Photo extends { position: number }>(
  photos: Photo[],
  address: URL,
  path: string,
  as?: Eyes | null,
) {
  const pages = Math.max(Math.ceil(photos.length / PHOTOS_A_PAGE), 1);
  const wanted = Number.parseInt(address.searchParams.get("page") ?? "", 10) || 1;
  const page = Math.min(Math.max(wanted, 1), pages);
  const pathOf = (number: number) => withQuery(path, { ...gridPageQuery(number), as: as ?? undefined });
  const shown = photos.slice((page - 1) * PHOTOS_A_PAGE, page * PHOTOS_A_PAGE);
  return {
    openCount: photos.length,
    photos: shown,
    pages: {
      own: gridPageQuery(page),
      shown:
        pages > 1 ? `Photos ${shown[0]?.position} to ${shown.at(-1)?.position} of ${photos.length}` : null,
      previous: page > 1 ? pathOf(page - 1) : null,
      next: page < pages ? pathOf(page + 1) : null,
    },
  };
}
