import { sql } from "drizzle-orm";
import { db, type Executor } from "./client.server.ts";

/** Unix milliseconds by the database's clock, because the clocks of web processes may be minutes off. */
export const nowMs = sql`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

export const databaseTime = sql`${nowMs}::float8`.mapWith((milliseconds: number) => new Date(milliseconds));

export async function readDatabaseTime(executor: Executor = db): Promise<Date> {
  const [row] = await executor.execute<{ ms: number }>(sql`SELECT ${databaseTime} AS ms`);
  if (!row) throw new Error("The database did not return its time");
  return new Date(row.ms);
}
