import { poolUse } from "#db/client.server.ts";
import type { PoolUse } from "#db/pool/guarded-pool.ts";

/** How busy this process keeps its connections, by their purpose. */
export function listPools(): (PoolUse & { pool: string })[] {
  return Object.entries(poolUse()).map(([pool, use]) => ({ pool, ...use }));
}
