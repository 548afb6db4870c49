import { PHOTOS_AT_ONCE } from "#app/domain/catalog/edit/item/sections.ts";

/** Beyond every item, and within the database's bigint. */
const LAST_PAGE = 10_000;

/** From 1. */
export function photoPageIn(request: Request): number {
  const wanted = Math.floor(Number(new URL(request.url).searchParams.get("photos"))) || 1;
  return Math.min(LAST_PAGE, Math.max(1, wanted));
}

/** `to`: the address of another page; of the first without a number. */
export function photoPages(
  { page, total }: { page: number; total: number },
  to: (page: number | undefined) => string,
) {
  const first = (page - 1) * PHOTOS_AT_ONCE;
  const link = (number: number) =>
    number >= 1 && number <= Math.ceil(total / PHOTOS_AT_ONCE) ? to(number > 1 ? number : undefined) : null;
  return {
    previous: link(page - 1),
    next: link(page + 1),
    text: `${first + 1} to ${Math.min(first + PHOTOS_AT_ONCE, total)} of ${total}`,
  };
}
