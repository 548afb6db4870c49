// Needed because statements of visitors wait behind a migration that waits for a lock: decision 110.
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Visitors' statements queue behind a migration that waits for a lock, so it waits this long at a time and
 * lets them pass for at least thirty times as long.
 */
export const LOCK_TIMEOUT_MS = 30;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 8_000;
const GIVE_UP_AFTER_MS = 5 * 60_000;
/** lock_not_available and deadlock_detected. */
const IS_BUSY = new Set(["55P03", "40P01"]);

/** Repeats `attempt` for up to five minutes while other transactions hold its locks. */
export async function retryWhileLocked<Result>(
  name: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!IS_BUSY.has((error as { code?: string }).code ?? "")) throw error;
      if (Date.now() > deadline) throw new Error(stillBusy(name));
      if (pause === FIRST_PAUSE_MS)
        console.warn(`Migration ${name} is waiting for other transactions to end.`);
    }
    await sleep(pause);
  }
}

function stillBusy(name: string): string {
  return `Migration ${name} could not lock its tables for 5 minutes: end the transaction that holds them (see pg_stat_activity), then try again.`;
}
