import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "#app/dates.ts";
import { ACCESS_KINDS, STATE_KINDS, subscriptionState } from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";
import { collectionPause, subscriptionStatus, trialEndWithoutCard } from "#db/schema/subscriptions.ts";
import { fc } from "#tests/support/seed.ts";
import { isCurrent } from "./days-of-grace.server.ts";
import { stateKind } from "./subscription-state.server.ts";

const NOW = new Date("2026-11-21T12:00:00.123Z");
const AT_ONCE = 500;
/** Days from now, with the edges of the period, of the two late days and of the days of grace. */
const days = fc.constantFrom(-400, -3.001, -3, -2.999, -2.001, -2, -1.999, -0.001, 0, 0.001, 2, 30, 365);
const date = days.map((count) => new Date(NOW.getTime() + count * DAY_MS));
const row = fc.record({
  status: fc.constantFrom(...subscriptionStatus.enumValues),
  cancelAtPeriodEnd: fc.boolean(),
  cancelAt: fc.option(date),
  collectionPause: fc.option(fc.constantFrom(...collectionPause.enumValues)),
  collectionResumesAt: fc.option(date),
  trialEndWithoutCard: fc.option(fc.constantFrom(...trialEndWithoutCard.enumValues)),
  isPrepaid: fc.boolean(),
  currentPeriodStart: date,
  currentPeriodEnd: date,
  unknownSince: fc.option(date, { freq: 3 }),
});
type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never;

test.each([0, 3])("TypeScript and SQL give a row the same kind, with %i days of grace", async (graceDays) => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (rows) => {
      for (const [index, { kind, is_current: current, opens }] of (await ask(rows, graceDays)).entries()) {
        const facts = { ...(rows[index] as Row), isCurrent: current };
        expect([facts, subscriptionState(facts, NOW)]).toEqual([facts, kind]);
        expect([facts, opens]).toEqual([facts, ACCESS_KINDS.includes(kind)]);
        seen.add(kind);
      }
    }),
    { numRuns: 10 },
  );
  const kinds = STATE_KINDS.filter((kind) => kind !== "grace" || graceDays > 0);
  expect([...seen].sort()).toEqual([...kinds].sort());
});

/** As PostgreSQL sees rows of the table, in their order. `opens`: with what the statuses say by themselves. */
async function ask(rows: Row[], graceDays: number) {
  const stored = rows.map((one, position) => ({
    id: String(position).padStart(5, "0"),
    status: one.status,
    cancel_at_period_end: one.cancelAtPeriodEnd,
    cancel_at: one.cancelAt,
    collection_pause: one.collectionPause,
    collection_resumes_at: one.collectionResumesAt,
    trial_end_without_card: one.trialEndWithoutCard,
    is_prepaid: one.isPrepaid,
    current_period_start: one.currentPeriodStart,
    current_period_end: one.currentPeriodEnd,
    unknown_since: one.unknownSince,
  }));
  const options = { graceDays, now: sql`${NOW.toISOString()}::timestamptz` };
  return db.execute<{ kind: (typeof STATE_KINDS)[number]; is_current: boolean; opens: boolean }>(sql`
    SELECT ${stateKind(options)} AS kind, ${isCurrent(options)} AS is_current,
      s.status IN ('trialing', 'active', 'past_due') AND ${isCurrent(options)} AS opens
    FROM jsonb_populate_recordset(null::subscriptions, ${JSON.stringify(stored)}::jsonb) s
    ORDER BY s.id`);
}
