import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";

test("a test file has a migrated database of its own", async () => {
  const rows = await db.execute(sql`SELECT count(*)::int AS count FROM media`);
  expect(rows[0]?.count).toBe(0);
});
