import { sql } from "drizzle-orm";
import { addToTotals, type CountedPart, dayOf, totalRows } from "#app/domain/totals/daily-totals.server.ts";
import type { Executor } from "#db/client.server.ts";

/** Counts each sign-in once, on its day. The clean-up leaves sessions that are not counted yet. */
export async function countSignIns(
  executor: Executor,
  { timeZone, before, userId }: CountedPart,
): Promise<void> {
  await addToTotals(executor, {
    steps: sql`counted AS (
      UPDATE sessions SET is_counted = true
      WHERE NOT is_counted ${before ? sql`AND signed_in_at < ${before.toISOString()}::timestamptz` : sql``}
        ${userId ? sql`AND user_id = ${userId}` : sql``}
      RETURNING signed_in_at
    )`,
    rows: totalRows("signIns", { day: dayOf(sql`signed_in_at`, timeZone), from: sql`counted` }),
  });
}
