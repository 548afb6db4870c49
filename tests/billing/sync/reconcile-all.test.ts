import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { reconcileAll } from "#app/domain/billing/sync/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/billing.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";

const PEOPLE = 16;
const AT_ONCE = 4;
const MAX_CONSECUTIVE_FAILURES = 8;
const shop = await startPaidSite();
const { control, standIn } = shop;
afterAll(() => shop.stop());

let payers: Payer[] = [];
beforeEach(async () => {
  await db.delete(customers);
  payers = [];
  for (let count = 0; count < PEOPLE; count += 1) payers.push(await shop.createPayer());
});

const run = () => reconcileAll({ isDryRun: false, withinMs: 60_000 });
/** These errors are no outage, so further calls are still made. */
const refuse = (pathIncludes: string, times: number) =>
  control.failNext({ status: 400, pathIncludes, times });

test("after eight failures in a row a run stops, and the next run reconciles everybody", async () => {
  refuse("/v1/customers/", 1_000);
  const stopped = await run();
  const failed = stopped?.failed.length ?? 0;
  expect(failed).toBeGreaterThanOrEqual(MAX_CONSECUTIVE_FAILURES);
  // Concurrent calls may fail as well.
  expect(failed).toBeLessThan(MAX_CONSECUTIVE_FAILURES + AT_ONCE);
  expect(stopped).toMatchObject({ compared: 0, left: PEOPLE - failed, people: [] });
  for (const { why } of stopped?.failed ?? []) expect(why).toContain("Stripe answered with an error (400");

  await makeWell();
  expect(await run()).toMatchObject({ compared: PEOPLE, failed: [], left: 0 });
});

test("failures with a success between them do not stop a run", async () => {
  const isHeard = (index: number) => index % (AT_ONCE + 1) === AT_ONCE;
  for (const [index, { id, customerId }] of payers.entries()) {
    // The date sets the order of comparison.
    const reconciledAt = sql`now() - interval '1 day' + ${index} * interval '1 minute'`;
    await db.update(customers).set({ reconciledAt }).where(eq(customers.userId, id));
    if (!isHeard(index)) refuse(customerId, 1);
  }
  const heard = payers.filter((_, index) => isHeard(index)).length;
  const result = await run();
  expect(result?.failed).toHaveLength(PEOPLE - heard);
  expect(PEOPLE - heard).toBeGreaterThan(MAX_CONSECUTIVE_FAILURES);
  expect(result).toMatchObject({ compared: heard, left: 0 });
});

test("people whose bills cannot be written here do not stop a run, and the run says why", async () => {
  const [first] = payers;
  await db.execute(sql`
    CREATE FUNCTION refuse_others() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''unwritable''; END'`);
  await db.execute(sql`
    CREATE TRIGGER refuse_others BEFORE UPDATE ON customers FOR EACH ROW
    WHEN (NEW.provider_customer_id <> ${sql.raw(`'${first?.customerId}'`)}) EXECUTE FUNCTION refuse_others()`);
  const result = await run();
  await db.execute(sql`DROP FUNCTION refuse_others CASCADE`);
  expect(result).toMatchObject({ compared: 1, left: 0 });
  expect(result?.failed).toHaveLength(PEOPLE - 1);
  for (const { why, error } of result?.failed ?? []) {
    expect([why, String((error as Error).cause ?? error)]).toEqual([
      "The provider's answer could not be stored.",
      expect.stringContaining("unwritable"),
    ]);
  }
});

test("customers left when the time is over are reconciled by the next run", async () => {
  expect(await reconcileAll({ isDryRun: false, withinMs: -1 })).toMatchObject({ compared: 0, left: PEOPLE });
});

/** Uses up the remaining failures. */
async function makeWell(): Promise<void> {
  const url = `${standIn.origin}/v1/customers/${payers[0]?.customerId}`;
  const headers = { authorization: `Bearer ${standIn.secretKey}` };
  while ((await fetch(url, { headers })).status !== 200);
}
