import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import { db } from "./client.server.ts";
import { flag, json, number, readOne, readRow, readRows, text, timestamp } from "./rows.ts";

const Item = z.object({ id: number, title: text, at: timestamp.nullable() });

test("a row has the columns of its schema, and dates", async () => {
  const rows = await readRows(db, Item)`
    SELECT id, 'Sea' AS title, ${"2026-05-01T10:00:00.5+02"}::timestamptz AS at, 'more' AS other
    FROM generate_series(1, 2) id`;
  const at = new Date("2026-05-01T08:00:00.500Z");
  expect(rows).toEqual([
    { id: 1, title: "Sea", at },
    { id: 2, title: "Sea", at },
  ]);
});

test("dates inside JSON are dates, too", async () => {
  const schema = z.object({ items: z.array(Item) });
  const { items } = await readOne(db, schema)`SELECT jsonb_agg(found) AS items FROM (
    SELECT 1 AS id, 'Sea' AS title, '2026-05-01T10:00:00.123456Z'::timestamptz AS at) found`;
  expect(items).toEqual([{ id: 1, title: "Sea", at: new Date("2026-05-01T10:00:00.123Z") }]);
});

test.each([
  ["is missing", sql`1 AS id, NULL::timestamptz AS at`],
  ["has another name", sql`1 AS id, 'Sea' AS name, NULL::timestamptz AS at`],
  ["is null", sql`1 AS id, NULL AS title, NULL::timestamptz AS at`],
  ["has another type", sql`1::bigint AS id, 'Sea' AS title, NULL::timestamptz AS at`],
  ["is no date", sql`1 AS id, 'Sea' AS title, 'infinity'::timestamptz AS at`],
])("a column that %s is an error", async (_, columns) => {
  await expect(readRows(db, Item)`SELECT ${columns}`).rejects.toThrow(z.ZodError);
});

test("the error names the column and nothing that it contains", async () => {
  const reading = readRow(db, z.object({ id: number }))`SELECT 'ada@example.com' AS id`;
  await expect(reading).rejects.toThrow(/"id"/);
  await expect(reading).rejects.not.toThrow(/ada/);
});

test("a schema that is no object reads the only column", async () => {
  expect(await readRows(db, number)`SELECT generate_series(1, 3)`).toEqual([1, 2, 3]);
  expect(await readRow(db, text)`SELECT 'Sea' WHERE ${false}::boolean`).toBeNull();
  expect(await readOne(db, flag)`SELECT true`).toBe(true);
  expect(await readOne(db, json<string[]>())`SELECT '["a"]'::jsonb`).toEqual(["a"]);
  await expect(readOne(db, json<string[]>())`SELECT NULL::jsonb`).rejects.toThrow(z.ZodError);
});

test("a statement that must have a row fails without one", async () => {
  await expect(readOne(db, number)`SELECT 1 WHERE false`).rejects.toThrow("no row");
});
