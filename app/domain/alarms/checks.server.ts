import { config } from "#app/config.server.ts";
import { LIMITS, readTaken } from "#app/domain/auth/rate-limits.server.ts";
import { findNewestBackup, isLateBackup } from "#app/domain/backup/backup-files.server.ts";
import { readMissingPayments, readRefusedEvents } from "#app/domain/billing/events/missed-events.server.ts";
import { readStuckEvents } from "#app/domain/billing/events/retry-events.server.ts";
import { readDiskSpace } from "#app/domain/health/disk.server.ts";
import { listOutcomes } from "#app/domain/jobs/outcomes.server.ts";
import { readFailedJobs } from "#app/domain/jobs/queue.server.ts";
import { withinLimit } from "#app/domain/jobs/within-limit.ts";
import { readLateMails } from "#app/domain/mail/outbox.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { ALARM_KINDS, type Alarm, type AlarmKind } from "./alarm-kinds.ts";

export interface FailedCheck {
  kind: AlarmKind;
  error: unknown;
}

interface Checked {
  wrong: Alarm[];
  failed: FailedCheck[];
}

/** A folder on a lost network disk never answers. */
const CHECK_WITHIN_MS = 30_000;
/** Leaves time for an alarm about a backup that failed because of such a folder. */
const FOLDER_WITHIN_MS = 10_000;
const TOO_LONG = "The check took too long.";
/** The tries of a backup that fails at once end within eleven minutes. After that the next one hangs, or takes hours. */
const TRIES_WITHIN_SECONDS = 15 * 60;

const CHECKS: Record<AlarmKind, () => Promise<Omit<Alarm, "kind"> | null>> = {
  mails: async () => unlessNone(await readLateMails()),
  signIns: checkSignIns,
  payments: async () => unlessNone(await readStuckEvents()),
  refusedEvents: async () => unlessNone(await readRefusedEvents()),
  missingPayments: async () => unlessNone(await readMissingPayments()),
  // Those that are left out have alarms of their own.
  jobs: async () => unlessNone(await readFailedJobs({ except: ["send-mail", "billing-event", "back-up"] })),
  backup: checkBackup,
  disk: checkDisks,
};

/** Never throws. */
export async function checkSite(kinds: readonly AlarmKind[] = ALARM_KINDS): Promise<Checked> {
  const wrong: Alarm[] = [];
  const failed: FailedCheck[] = [];
  // One after the other, so that the checks take one connection and no more.
  for (const kind of kinds) {
    try {
      const found = await withinLimit(CHECKS[kind](), CHECK_WITHIN_MS, TOO_LONG);
      if (found !== null) wrong.push({ kind, ...found });
    } catch (error) {
      failed.push({ kind, error });
    }
  }
  return { wrong, failed };
}

function unlessNone({ amount, since }: { amount: number; since: Date | null }) {
  return since === null ? null : { amount, since };
}

/** Half leaves time to look before newcomers get no email. */
async function checkSignIns() {
  const taken = await readTaken("mailByEverybody", "all");
  if (taken === null || taken.points < LIMITS.mailByEverybody.points / 2) return null;
  return { amount: taken.points, since: await timeBefore(taken.forSeconds) };
}

/** A folder that was just set has its first backup the next night. */
async function checkBackup() {
  const { dir } = config.backup;
  if (dir === null) return null;
  const failedAt = await lastFailureOf("back-up");
  const looked = withinLimit(findNewestBackup(dir), FOLDER_WITHIN_MS, TOO_LONG);
  const newest = await looked.catch((error: unknown) => {
    // A folder that is gone makes every backup fail.
    if (failedAt === null) throw error;
    return null;
  });
  if (failedAt === null && (newest === null || !isLateBackup(newest))) return null;
  return {
    amount: 0,
    since: newest === null ? (failedAt ?? (await timeBefore(0))) : await timeBefore(newest.ageSeconds),
  };
}

/** Null when the last run ended well, when none has ended yet, and while the next try may still come at once. */
async function lastFailureOf(name: string): Promise<Date | null> {
  const outcomes = (await listOutcomes()).filter(({ job }) => job === name);
  const ageOf = (ended: string) => outcomes.find(({ outcome }) => outcome === ended)?.secondsAgo ?? Infinity;
  const failed = ageOf("failed");
  const age = Math.min(ageOf("gave-up"), failed > TRIES_WITHIN_SECONDS ? failed : Infinity);
  return age < ageOf("succeeded") ? timeBefore(age) : null;
}

async function checkDisks() {
  const { dir } = config.backup;
  const disks = await Promise.all([config.dataDir, ...(dir === null ? [] : [dir])].map(readDiskSpace));
  const low = disks.filter(({ isLow }) => isLow).map(({ freeBytes }) => freeBytes);
  return low.length === 0 ? null : { amount: Math.min(...low), since: await timeBefore(0) };
}

async function timeBefore(seconds: number): Promise<Date> {
  return new Date((await readDatabaseTime()).getTime() - seconds * 1_000);
}
