import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

/**
 * Returns the test database's address for a role with these rights on every table except one. With `readsOnly`, its
 * transactions are read-only by default.
 */
export async function createRole(
  name: string,
  rights: string,
  { except, readsOnly = false }: { except?: string; readsOnly?: boolean } = {},
): Promise<string> {
  const run = (statement: string) => db.execute(sql.raw(statement));
  await run(`DO $$ BEGIN CREATE ROLE ${name} LOGIN BYPASSRLS PASSWORD '${name}';
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`);
  const schemas = await db.execute<{ name: string }>(sql`
    SELECT DISTINCT schemaname AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`);
  for (const { name: schema } of schemas) {
    await run(`GRANT USAGE ON SCHEMA ${schema} TO ${name}`);
    await run(`GRANT ${rights} ON ALL TABLES IN SCHEMA ${schema} TO ${name}`);
    await run(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${name}`);
    await run(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO ${name}`);
  }
  if (readsOnly) await run(`ALTER ROLE ${name} SET default_transaction_read_only = on`);
  if (except) await run(`REVOKE ALL ON ${except} FROM ${name}`);
  const url = new URL(process.env.DATABASE_URL ?? "");
  url.username = name;
  url.password = name;
  return url.href;
}
