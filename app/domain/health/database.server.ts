import type { PoolUse } from "#db/adapter/guarded-pool.ts";
import { poolUse } from "#db/client.server.ts";

export function listPools(): (PoolUse & { pool: string })[] {
  return Object.entries(poolUse()).map(([pool, use]) => ({ pool, ...use }));
}
