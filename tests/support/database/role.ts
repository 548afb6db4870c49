import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

/** Returns the test database's address for a role with these rights on every table except one. */
export async function createRole(
  name: string,
  rights: string,
  { except }: { except?: string } = {},
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
  if (except) await run(`REVOKE ALL ON ${except} FROM ${name}`);
  const url = new URL(process.env.DATABASE_URL ?? "");
  url.username = name;
  url.password = name;
  return url.href;
}
