import type { PoolUse } from "#db/adapter/guarded-pool.ts";
import { isDatabaseUnreachable, isStatementTimeout } from "#db/adapter/unreachable.ts";
import { poolUse } from "#db/client.server.ts";

export function isOutage(error: unknown): boolean {
  return isDatabaseUnreachable(error) || isStatementTimeout(error);
}

export function listPools(): (PoolUse & { pool: string })[] {
  return Object.entries(poolUse()).map(([pool, use]) => ({ pool, ...use }));
}
