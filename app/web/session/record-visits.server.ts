// Needed because a member's first page of a minute took a statement and a round trip more: decision 146.
import { recordVisits } from "#app/domain/auth/users.server.ts";
import { log } from "#app/log.server.ts";

const RECORD_VISIT_EVERY_MS = 60_000;
/** One statement records all visits of this time. */
const COLLECT_MS = 5_000;
const MAX_VISITORS = 10_000;
const recordedAt = new Map<string, number>();
const visitors = new Set<string>();

/** Records the visit of a member at most once a minute, a few seconds later. */
export function recordVisit(userId: string): void {
  const now = performance.now();
  if (now - (recordedAt.get(userId) ?? Number.NEGATIVE_INFINITY) < RECORD_VISIT_EVERY_MS) return;
  if (recordedAt.size >= MAX_VISITORS) recordedAt.clear();
  recordedAt.set(userId, now);
  if (visitors.size === 0) setTimeout(recordCollected, COLLECT_MS).unref();
  visitors.add(userId);
}

function recordCollected(): void {
  const userIds = [...visitors];
  visitors.clear();
  recordVisits(userIds).catch((error: unknown) => log.warn({ err: error }, "visits not recorded"));
}
