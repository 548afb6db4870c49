import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, listDb, searchDb } from "./client.server.ts";

test("PostgreSQL keeps plans of pages' statements, and plans lists and searches for their values", async () => {
  const keepsPlan = async (database: typeof db, text: string) => {
    // The driver prepares statements with values only.
    const statement = sql`SELECT ${sql.raw(`'${text}'`)}, generic_plans AS kept FROM pg_prepared_statements
      WHERE statement LIKE ${`SELECT '${text}'%`}`;
    let plans: { kept: number }[] = [];
    // PostgreSQL compares five plans before it keeps one, in each connection.
    for (let turn = 0; turn < 100; turn += 1) plans = await database.execute<{ kept: number }>(statement);
    return plans.some(({ kept }) => Number(kept) > 0);
  };
  expect(await keepsPlan(db, "page")).toBe(true);
  expect(await keepsPlan(listDb, "list")).toBe(false);
  expect(await keepsPlan(searchDb, "search")).toBe(false);
});
