import { readFile } from "node:fs/promises";
import { db } from "#db/client.server.ts";
import { readOne, text } from "#db/rows.ts";

const JOURNAL = "drizzle/meta/_journal.json";

/** Never throws. */
export async function isReady(): Promise<boolean> {
  try {
    const journal = JSON.parse(await readFile(JOURNAL, "utf8")) as { entries: { when: number }[] };
    const newest = await readOne(db, text.nullable())`
      SELECT max(created_at)::text AS newest FROM drizzle.__drizzle_migrations`;
    return Number(newest ?? 0) >= Math.max(...journal.entries.map(({ when }) => when));
  } catch {
    return false;
  }
}
