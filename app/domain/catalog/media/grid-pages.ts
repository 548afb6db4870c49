/** A page of a large set is drawn as fast as that of a small one. */
export const PHOTOS_A_PAGE = 100;

/** The query of a page of the grid, counted from 1. */
export function gridPageQuery(page: number) {
  return { page: page === 1 ? undefined : page };
}

/** The query of the page with the photo that has this index among those that a person may see. */
export function gridPageAt(index: number) {
  return gridPageQuery(Math.floor(Math.max(index, 0) / PHOTOS_A_PAGE) + 1);
}
