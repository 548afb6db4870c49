import { readFileSync } from "node:fs";

const [limit] = /--max-old-space-size=\d+/.exec(readFileSync("scripts/web.ts", "utf8")) ?? [];
if (limit === undefined) throw new Error("scripts/web.ts limits no heap");

/** The real site limits the heap of its web processes; a test that starts one by itself has to do it too. */
export const WEB_HEAP_ENV = { NODE_OPTIONS: limit };
