import { sql } from "drizzle-orm";
import { addToTotals, totalOf, totalRows } from "#app/domain/totals/daily-totals.server.ts";
import type { Transaction } from "#db/client.server.ts";

/** Adds to the day by how much the catalog's files have grown. */
export async function countStorage(tx: Transaction, countedOn: string): Promise<void> {
  await addToTotals(tx, {
    steps: sql`stored AS (
      SELECT (SELECT coalesce(sum(bytes), 0) FROM media_files) + (SELECT coalesce(sum(bytes), 0) FROM creator_files) AS bytes
    )`,
    rows: totalRows("storedBytes", {
      day: sql`${countedOn}`,
      amount: sql`bytes - ${totalOf("storedBytes")}`,
      from: sql`stored`,
    }),
  });
}
