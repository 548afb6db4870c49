import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, listDb, searchDb } from "./client.server.ts";

interface Plans extends Record<string, unknown> {
  kept: number;
  made: number;
}

test.each([
  ["keeps the plan of a page's statement", db, { kept: true }],
  ["plans a list for its values", listDb, { kept: false }],
  ["plans a search for its values", searchDb, { kept: false }],
])("the database %s", async (_, database, expected) => {
  // The driver prepares statements with values only.
  const statement = sql`SELECT generic_plans AS kept, custom_plans AS made FROM pg_prepared_statements
    WHERE statement LIKE ${"SELECT generic_plans%"}`;
  let plans: Plans[] = [];
  // PostgreSQL compares five plans before it keeps one, in each connection.
  for (let turn = 0; turn < 100; turn += 1) plans = await database.execute<Plans>(statement);
  expect(Number(plans[0]?.made)).toBeGreaterThan(0);
  expect({ kept: Number(plans[0]?.kept) > 0 }).toEqual(expected);
});
