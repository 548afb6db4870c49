import type { PoolUse } from "#db/adapter/guarded-pool.ts";
import { isDatabaseUnreachable, isStatementTimeout } from "#db/adapter/unreachable.ts";
import { poolUse } from "#db/client.server.ts";

/** An outage of the database is over within seconds, and so is a moment with too many visitors. The payment provider may take a minute. */
export const RETRY_AFTER_SECONDS = 5;

export function isOutage(error: unknown): boolean {
  return isDatabaseUnreachable(error) || isStatementTimeout(error);
}

/** How busy this process keeps its connections, by their purpose. */
export function listPools(): (PoolUse & { pool: string })[] {
  return Object.entries(poolUse()).map(([pool, use]) => ({ pool, ...use }));
}
