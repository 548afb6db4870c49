import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

/** A digest of each table's rows, by table; it changes exactly when a row does. */
export async function digestTables(): Promise<Record<string, string>> {
  const tables = await db.execute<{ name: string }>(sql`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`);
  const parts = [...tables].map(
    ({
      name,
    }) => sql`SELECT ${name} AS name, md5(coalesce(string_agg(t::text, E'\n' ORDER BY t::text), '')) AS digest
      FROM ${sql.raw(name)} t`,
  );
  const rows = await db.execute<{ name: string; digest: string }>(sql.join(parts, sql` UNION ALL `));
  return Object.fromEntries([...rows].map(({ name, digest }) => [name, digest]));
}
