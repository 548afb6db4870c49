import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { stateKind } from "./subscription-state.server.ts";

/** Subscriptions whose payments are paused at the provider. `endless`: somebody has to end the pause there. */
export async function countUncollected(): Promise<{ all: number; endless: number }> {
  const [row] = await db.execute<{ all: number; endless: number }>(sql`
    SELECT count(*)::int AS "all", count(*) FILTER (WHERE s.collection_resumes_at IS NULL)::int AS endless
    FROM subscriptions s WHERE s.collection_pause IS NOT NULL AND ${stateKind()} = 'uncollected'`);
  return row ?? { all: 0, endless: 0 };
}
