// Needed because recording a visit cost a page one more statement and round trip: decision 146.
import { RECORD_VISIT_SECONDS, recordVisits } from "#app/domain/auth/users.server.ts";
import { log } from "#app/log.server.ts";

const COLLECT_MS = 5_000;
const MAX_VISITORS = 10_000;
const recordedAt = new Map<string, number>();
const visitors = new Set<string>();

export function recordVisit(userId: string): void {
  const now = performance.now();
  if (now - (recordedAt.get(userId) ?? Number.NEGATIVE_INFINITY) < RECORD_VISIT_SECONDS * 1_000) return;
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
