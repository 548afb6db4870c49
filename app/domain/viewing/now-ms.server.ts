import { sql } from "drizzle-orm";

/** Milliseconds since 1970 by the database's clock: what the sequence of a place is compared with. */
export const nowMs = sql`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
