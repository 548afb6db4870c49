import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { migrateDatabase } from "./migrations/migrate.ts";

const BEFORE = "0018_closed_doors";
const USER = "00000000-0000-4000-8000-000000000001";
const OLD = "2026-11-01T00:00:00.123Z";
const NEW = "2026-11-02T00:00:00.456Z";

const url = await cloneDatabase(inject("serverUrl"), "template1");
const sql = postgres(url, { max: 1 });
beforeAll(async () => {
  await migrateDatabase(url, BEFORE);
  await sql`INSERT INTO users (id, email) VALUES (${USER}, 'ada@example.com')`;
  await sql`INSERT INTO products (id, name, active) VALUES ('prod', 'Plan', true)`;
  await sql`INSERT INTO prices (id, product_id, active, currency, unit_amount, interval, interval_count)
    VALUES ('price', 'prod', true, 'usd', 1499, 'month', 1)`;
  await insertAsBefore("stored");
  await sql`INSERT INTO billing_notices (key, user_id) VALUES ('receipt:stored', ${USER})`;
  await sql`INSERT INTO offer_reads (read_at) VALUES (${OLD})`;
  await migrateDatabase(url);
});
afterAll(() => sql.end());

test("stored rows keep their values under the new names", async () => {
  expect(await rowOf("stored")).toEqual(expected("cancel", OLD));
  expect(await sql`SELECT key FROM billing_mails`).toEqual([{ key: "receipt:stored" }]);
  expect(await sql`SELECT fetched_at FROM offer_fetches`).toEqual([{ fetched_at: new Date(OLD) }]);
});

test("rows written by the previous version are read under the new names", async () => {
  await insertAsBefore("older");
  expect(await rowOf("older")).toEqual(expected("cancel", OLD));
  await sql`UPDATE subscriptions SET wish = 'keep', wished_at = ${NEW}, is_wish_open = true, read_at = ${NEW}
    WHERE id = 'older' AND read_at <= ${NEW}`;
  expect(await rowOf("older")).toEqual(expected("keep", NEW));
  await sql`INSERT INTO billing_notices (key, user_id) VALUES ('receipt:older', ${USER}) ON CONFLICT DO NOTHING`;
  await sql`INSERT INTO billing_notices (key, user_id) VALUES ('receipt:older', ${USER}) ON CONFLICT DO NOTHING`;
  expect(
    await sql`SELECT created_at IS NOT NULL AS dated FROM billing_mails WHERE key = 'receipt:older'`,
  ).toEqual([{ dated: true }]);
  await sql`INSERT INTO offer_reads (read_at) VALUES (${NEW}) ON CONFLICT (id) DO UPDATE SET read_at = excluded.read_at`;
  expect(await sql`SELECT fetched_at FROM offer_fetches`).toEqual([{ fetched_at: new Date(NEW) }]);
});

test("rows written by this version are read by the previous version", async () => {
  await sql`INSERT INTO subscriptions (id, user_id, provider, status, price_id, current_period_start,
      current_period_end, requested_change, requested_at, is_request_open, fetched_at)
    VALUES ('newer', ${USER}, 'stripe', 'active', 'price', now(), now(), 'cancel', ${OLD}, true, ${OLD})`;
  expect(await rowOf("newer")).toEqual(expected("cancel", OLD));
  await sql`UPDATE subscriptions SET requested_change = 'keep', requested_at = ${NEW}, fetched_at = ${NEW}
    WHERE id = 'newer'`;
  expect(await rowOf("newer")).toEqual(expected("keep", NEW));
});

/** Like a process of the previous version, whose statements name only the old columns. */
async function insertAsBefore(id: string): Promise<void> {
  await sql`INSERT INTO subscriptions (id, user_id, provider, status, price_id, current_period_start,
      current_period_end, wish, wished_at, is_wish_open, read_at)
    VALUES (${id}, ${USER}, 'stripe', 'active', 'price', now(), now(), 'cancel', ${OLD}, true, ${OLD})`;
}

function rowOf(id: string) {
  return sql`SELECT wish, wished_at, is_wish_open, read_at,
      requested_change, requested_at, is_request_open, fetched_at
    FROM subscriptions WHERE id = ${id}`.then(([row]) => row);
}

function expected(change: "cancel" | "keep", at: string) {
  const date = new Date(at);
  return {
    wish: change,
    wished_at: date,
    is_wish_open: true,
    read_at: date,
    requested_change: change,
    requested_at: date,
    is_request_open: true,
    fetched_at: date,
  };
}
