import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

/** When the provider was asked, by the database's clock. As text: a Date would cut off the microseconds. */
export type AskedAt = string;

/** Before asking: an answer is as good as the moment of its question at least. */
export async function askedNow(): Promise<AskedAt> {
  const [row] = await db.execute<{ now: string }>(sql`SELECT clock_timestamp()::text AS now`);
  if (!row) throw new Error("The database has no clock");
  return row.now;
}
