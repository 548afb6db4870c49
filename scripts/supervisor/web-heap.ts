/**
 * A page needs a third of this; without a limit, the heap of a web process grows to 250 MB before garbage collection.
 * Apart from scripts/web.ts, which is a program: tests of memory start web processes with the same limit.
 */
export const WEB_HEAP_MB = 192;
