import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import {
  insertUnderFormerNames,
  readUnderPlainNames,
  storedAt,
} from "#tests/support/database/former-names.ts";
import { migrateDatabase } from "./migrations/migrate.ts";

const BEFORE = "0018_closed_doors";
const LAST_WITH_BOTH = "0023_waiting_rows";
const OLD = "2026-11-01T00:00:00.123Z";
const NEW = "2026-11-02T00:00:00.456Z";

const url = await cloneDatabase(inject("serverUrl"), "template1");
const sql = postgres(url, { max: 1 });
beforeAll(async () => {
  await migrateDatabase(url, BEFORE);
  await insertUnderFormerNames(sql, "before", OLD);
  await migrateDatabase(url, LAST_WITH_BOTH);
  for (const id of ["between", "changed"]) await insertUnderFormerNames(sql, id, OLD);
  await sql`UPDATE subscriptions SET wish = 'keep', wished_at = ${NEW}, is_wish_open = false, read_at = ${NEW}
    WHERE id = 'changed'`;
  for (const table of ["customers", "invoices", "offer_reads"])
    await sql`UPDATE ${sql(table)} SET read_at = ${NEW}`;
  await sql`INSERT INTO subscriptions (id, user_id, provider, status, price_id, current_period_start,
      current_period_end, requested_change, requested_at, is_request_open, fetched_at)
    SELECT 'newer', user_id, provider, status, price_id, now(), now(), 'cancel', ${OLD}, true, ${OLD}
    FROM subscriptions WHERE id = 'before'`;
  await migrateDatabase(url);
});
afterAll(() => sql.end());

test("rows keep their last values, by whichever name they were written", async () => {
  const later = { ...storedAt(OLD), ...fetchedAt(NEW) };
  expect(await readUnderPlainNames(sql, "before")).toEqual(later);
  expect(await readUnderPlainNames(sql, "between")).toEqual(later);
  const changed = { requested_change: "keep", requested_at: new Date(NEW), is_request_open: false };
  expect(await readUnderPlainNames(sql, "changed")).toEqual({
    ...later,
    ...changed,
    fetched_at: new Date(NEW),
  });
  const [newer] = await sql`SELECT requested_change, requested_at, is_request_open, fetched_at
    FROM subscriptions WHERE id = 'newer'`;
  expect(storedAt(OLD)).toMatchObject({ ...newer });
});

// PostgreSQL 18 names NOT NULL constraints after the table's first name.
test("no former name is left in the database", async () => {
  const names = await sql`SELECT name FROM (
      SELECT attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid WHERE relnamespace = 'public'::regnamespace
      UNION SELECT relname FROM pg_class UNION SELECT conname FROM pg_constraint WHERE contype <> 'n' UNION SELECT typname FROM pg_type
      UNION SELECT proname FROM pg_proc UNION SELECT tgname FROM pg_trigger
    ) AS every(name) WHERE name ~ '(^|_)(wish|wished)($|_)|^read_at$|^offer_reads|^billing_notices|^copy_(fetched|requested)'`;
  expect([...names]).toEqual([]);
});

test("a row that leaves the renamed columns out has their defaults", async () => {
  const [row] =
    await sql`INSERT INTO subscriptions (id, user_id, provider, status, price_id, current_period_start,
      current_period_end)
    SELECT 'default', user_id, provider, status, price_id, now(), now() FROM subscriptions WHERE id = 'before'
    RETURNING requested_change, is_request_open, fetched_at = now() AS is_fetched_now`;
  expect(row).toEqual({ requested_change: null, is_request_open: false, is_fetched_now: true });
});

/** The other tables after all their rows were fetched again. */
function fetchedAt(at: string) {
  const date = new Date(at);
  return { invoice: date, customer: date, offer: date };
}
