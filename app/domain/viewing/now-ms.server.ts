import { sql } from "drizzle-orm";

/** Unix milliseconds by the database's clock, for comparison with a view's sequence. */
export const nowMs = sql`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
