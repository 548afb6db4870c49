import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createMember, subscribe } from "#tests/support/people.ts";
import { findPayPage, selectPayPage } from "./own-subscription.server.ts";

test("the page of the newest open invoice is found without reading everybody's invoices", async () => {
  const [ada, others] = [await createMember(), await createMember()];
  const id = await subscribe(ada.id, "past_due");
  await db.execute(sql`
    INSERT INTO invoices (id, user_id, subscription_id, status, currency, total, amount_paid, period_start, period_end,
      created_at, hosted_url)
    SELECT 'in_others_' || n, ${others.id}::uuid, 'sub_of_others', 'paid'::invoice_status, 'usd', 1499, 1499, now(), now(), now(), NULL
    FROM generate_series(1, 20000) n
    UNION ALL
    SELECT 'in_own_' || n, ${ada.id}::uuid, ${id}, 'open', 'usd', 1499, 0, now(), now(), now() + make_interval(days => n),
      'https://pay.example/' || n
    FROM generate_series(1, 2) n`);
  await db.execute(sql`ANALYZE invoices`);
  expect(await findPayPage(id)).toMatchObject({ status: "past_due", url: "https://pay.example/2" });
  const [explained] = await db.execute(sql`EXPLAIN (FORMAT JSON) ${selectPayPage(id)}`);
  const plan = JSON.stringify(explained);
  expect(plan).toContain("invoices_user_id");
  expect(plan).not.toMatch(/"Seq Scan"[^}]*"invoices"/);
});
