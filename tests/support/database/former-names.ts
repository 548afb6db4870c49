import type postgres from "postgres";

const OWNER = "00000000-0000-4000-8000-000000000001";

/** Someone with a plan, and a row for each name that migration 0019 has replaced; for a schema from before 0024. */
export async function insertUnderFormerNames(sql: postgres.Sql, id: string, at: string): Promise<void> {
  await sql`INSERT INTO users (id, email) VALUES (${OWNER}, 'ada@example.com') ON CONFLICT DO NOTHING`;
  await sql`INSERT INTO products (id, name, active) VALUES ('prod', 'Plan', true) ON CONFLICT DO NOTHING`;
  await sql`INSERT INTO prices (id, product_id, active, currency, unit_amount, interval, interval_count)
    VALUES ('price', 'prod', true, 'usd', 1499, 'month', 1) ON CONFLICT DO NOTHING`;
  await sql`INSERT INTO customers (user_id, provider, provider_customer_id, read_at)
    VALUES (${OWNER}, 'stripe', 'customer', ${at}) ON CONFLICT (user_id) DO UPDATE SET read_at = excluded.read_at`;
  await sql`INSERT INTO subscriptions (id, user_id, provider, status, price_id, current_period_start,
      current_period_end, wish, wished_at, is_wish_open, read_at)
    VALUES (${id}, ${OWNER}, 'stripe', 'active', 'price', now(), now(), 'cancel', ${at}, true, ${at})`;
  await sql`INSERT INTO invoices (id, user_id, status, currency, total, amount_paid, period_start, period_end,
      created_at, read_at)
    VALUES (${id}, ${OWNER}, 'paid', 'usd', 1499, 1499, now(), now(), now(), ${at})`;
  await sql`INSERT INTO offer_reads (read_at) VALUES (${at}) ON CONFLICT (id) DO UPDATE SET read_at = excluded.read_at`;
  await sql`INSERT INTO billing_notices (key, user_id) VALUES (${`receipt:${id}`}, ${OWNER}) ON CONFLICT DO NOTHING`;
}

/** The values of these rows under their names of today. */
export async function readUnderPlainNames(sql: postgres.Sql, id: string) {
  const [row] = await sql`SELECT requested_change, requested_at, is_request_open, s.fetched_at,
      i.fetched_at AS invoice, c.fetched_at AS customer, o.fetched_at AS offer, m.created_at IS NOT NULL AS is_mailed
    FROM subscriptions s JOIN invoices i USING (id) JOIN customers c ON c.user_id = s.user_id
      CROSS JOIN offer_fetches o LEFT JOIN billing_mails m ON m.key = 'receipt:' || s.id
    WHERE s.id = ${id}`;
  return row;
}

/** The result of readUnderPlainNames after the last insertUnderFormerNames. */
export function storedAt(at: string) {
  const date = new Date(at);
  return {
    requested_change: "cancel",
    requested_at: date,
    is_request_open: true,
    fetched_at: date,
    invoice: date,
    customer: date,
    offer: date,
    is_mailed: true,
  };
}
