/** A page needs a third of this; without a limit, the heap grows to 250 MB before garbage collection. */
export const WEB_HEAP_MB = 192;
