import { WEB_HEAP_MB } from "#scripts/supervisor/web-heap.ts";

/** The real site limits the heap of its web processes; a test that starts one by itself has to do it too. */
export const WEB_HEAP_ENV = { NODE_OPTIONS: `--max-old-space-size=${WEB_HEAP_MB}` };
