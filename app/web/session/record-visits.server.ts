// Needed because a member's first page of a minute took a statement and a round trip more: decision 146.
import { recordVisits } from "#app/domain/auth/users.server.ts";
import { log } from "#app/log.server.ts";

const RECORD_VISIT_EVERY_MS = 60_000;
const COLLECT_MS = 5_000;
const MAX_VISITORS = 10_000;
const recordedAt = new Map<string, number>();
const visitors = new Set<string>();

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
