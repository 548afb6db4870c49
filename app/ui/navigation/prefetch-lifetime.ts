/** How long a browser keeps a page's data that it fetched before a click. */
export const PREFETCH_LIFETIME_SECONDS = 10;
