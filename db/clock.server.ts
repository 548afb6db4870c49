import { sql } from "drizzle-orm";
import { readOne, timestamp } from "#db/rows.ts";
import { db, type Executor } from "./client.server.ts";

/** Unix milliseconds by the database's clock, because the clocks of web processes may be minutes off. */
export const nowMs = sql`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

export const databaseTime = sql`${nowMs}::float8`.mapWith((milliseconds: number) => new Date(milliseconds));

export function readDatabaseTime(executor: Executor = db): Promise<Date> {
  return readOne(executor, timestamp)`SELECT clock_timestamp()`;
}
