import { sql } from "drizzle-orm";
import {
  addToTotals,
  type CountedPart,
  dayOf,
  lockForCounting,
  totalRows,
} from "#app/domain/totals/daily-totals.server.ts";
import type { Executor } from "#db/client.server.ts";

/** The clean-up keeps sessions that are not counted yet. */
export async function countSignIns(executor: Executor, part: CountedPart): Promise<void> {
  const { timeZone, before, userId } = part;
  await addToTotals(executor, {
    steps: sql`due AS MATERIALIZED (
      SELECT id FROM sessions
      WHERE NOT is_counted ${before ? sql`AND signed_in_at < ${before.toISOString()}::timestamptz` : sql``}
        ${userId ? sql`AND user_id = ${userId}` : sql``}
      ORDER BY id ${lockForCounting(part)}
    ), counted AS (
      UPDATE sessions s SET is_counted = true FROM due WHERE s.id = due.id
      RETURNING s.signed_in_at
    )`,
    rows: totalRows("signIns", { day: dayOf(sql`signed_in_at`, timeZone), from: sql`counted` }),
  });
}
