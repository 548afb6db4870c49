import type { Sql } from "postgres";
import { PER_USER } from "./fill-people.ts";

/** Throws when a table has fewer rows than its size says: a smaller site would pass for a large one. */
export async function assertFilled(sql: Sql, size: number): Promise<void> {
  const expected = { media: size, users: size, views: size * PER_USER, favorites: size * PER_USER };
  const missing: string[] = [];
  for (const [table, rows] of Object.entries(expected)) {
    const [{ count = 0 } = {}] = await sql<{ count: number }[]>`
      SELECT count(*)::float8 AS count FROM ${sql(table)}`;
    if (count < rows) missing.push(`${table} has ${count} rows instead of ${rows}`);
  }
  if (missing.length > 0) throw new Error(`The site was not filled: ${missing.join(", ")}`);
}
