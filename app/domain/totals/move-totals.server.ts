import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { lockTotals, TOTAL_KINDS } from "./daily-totals.server.ts";

const CREATOR_KINDS = Object.entries(TOTAL_KINDS).flatMap(([kind, key]) => (key === "creator" ? [kind] : []));

export async function moveCreatorTotals(tx: Transaction, from: string, to: string): Promise<void> {
  await lockTotals(tx);
  const kinds = sql`kind IN (${sql.join(
    CREATOR_KINDS.map((kind) => sql`${kind}`),
    sql`, `,
  )})`;
  await tx.execute(sql`
    INSERT INTO daily_totals (day, kind, key, amount)
    SELECT day, kind, ${to}, amount FROM daily_totals WHERE ${kinds} AND key = ${from}
    ON CONFLICT (kind, day, key) DO UPDATE SET amount = daily_totals.amount + excluded.amount`);
  await tx.execute(sql`DELETE FROM daily_totals WHERE ${kinds} AND key = ${from}`);
}
