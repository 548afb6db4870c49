import { sql } from "drizzle-orm";
import { addToTotals, totalOf, totalRows, unionOf } from "#app/domain/totals/daily-totals.server.ts";
import type { Transaction } from "#db/client.server.ts";

export async function countStorage(tx: Transaction, countedOn: string): Promise<void> {
  const day = sql`${countedOn}`;
  await addToTotals(tx, {
    steps: sql`stored AS (
      SELECT (SELECT coalesce(sum(bytes), 0) FROM media_files) + (SELECT coalesce(sum(bytes), 0) FROM creator_files) AS bytes,
        (SELECT coalesce(sum(bytes), 0) FROM media_originals) AS originals
    )`,
    rows: unionOf([
      totalRows("storedBytes", { day, amount: sql`bytes - ${totalOf("storedBytes")}`, from: sql`stored` }),
      totalRows("originalBytes", {
        day,
        amount: sql`originals - ${totalOf("originalBytes")}`,
        from: sql`stored`,
      }),
    ]),
  });
}
