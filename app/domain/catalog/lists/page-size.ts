export const PAGE_SIZE = 24;
