import { sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { readMediaSpace } from "#app/domain/health/disk.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { ImportRefusal } from "#app/domain/media/import/refusal.ts";
import { DISK_FULL, DISK_RESERVE_BYTES, isNoSpace } from "#app/domain/media/storage/disk-full.ts";
import { deleteStored } from "#app/domain/media/storage/media-storage.server.ts";
import { StorageUnavailableError } from "#app/domain/media/storage/storage.ts";
import { inTemporaryFolder } from "#app/domain/media/storage/temporary.server.ts";
import type { MediaFileRow } from "#app/domain/media/store-file.server.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";
import { isDatabaseUnreachable } from "#db/adapter/unreachable.ts";
import { db } from "#db/client.server.ts";
import {
  type Claim,
  claimStep,
  failStep,
  finishStep,
  giveBack,
  redoMissing,
  reportProgress,
  stepsIn,
} from "./claims.server.ts";
import { makeStep, mostBytes } from "./make-step.server.ts";

interface StepOutcome {
  media: string;
  /** Several sizes with spaces between them. */
  step: string;
  outcome: "done" | "failed" | "failedForGood" | "givenBack" | "dropped";
  seconds: number;
  reason?: string;
  warnings?: string[];
}

interface Signals {
  stopping: AbortSignal;
  /** Another worker may take the step over. */
  lost: AbortSignal;
  retrySeconds?: number;
  onChange?: (mediaId: string) => void;
}

const REPORT_MS = 1_000;
/** A canceled step may be tried again, with the same file names. */
const UNUSED_SECONDS = 24 * 3_600;

/** Throws when the database cannot be told how it ended: the step stays claimed until `giveBackOf`. */
export async function runEncodingStep(
  runner: number,
  { stopping, lost, retrySeconds, onChange = () => {} }: Signals,
): Promise<StepOutcome | "nothing"> {
  const claim = await claimStep(runner);
  if (claim === null) return "nothing";
  const startedAt = performance.now();
  const ended = (outcome: StepOutcome["outcome"], reason?: string): StepOutcome => ({
    ...{ media: claim.mediaId, step: stepsIn(claim).join(" "), outcome },
    seconds: Math.round((performance.now() - startedAt) / 1000),
    ...(reason === undefined ? {} : { reason }),
  });
  const dropped = new AbortController();
  let warnings: string[] = [];
  // The step of an item that was taken down waits until the item is back.
  const endDropped = async () => {
    await giveBack(claim);
    return ended("dropped");
  };
  onChange(claim.mediaId);
  const report = reporter(claim, {
    onDropped: () => dropped.abort(new Error("the step was dropped")),
    onPercent: () => onChange(claim.mediaId),
  });
  const signal = AbortSignal.any([stopping, lost, dropped.signal]);
  // The worker stops within seconds, but reading, hashing and storing ignore the signal. Nothing is written after it.
  const onStop = () => void giveBack(claim).catch(() => {});
  stopping.addEventListener("abort", onStop, { once: true });
  try {
    if (await isDiskFull(await mostBytes(claim))) {
      await giveBack(claim, "fullDisk");
      return ended("givenBack", DISK_FULL);
    }
    if (await redoMissing(claim)) {
      await giveBack(claim);
      return ended("givenBack", "files that it needs are missing");
    }
    const isDone = await inTemporaryFolder(config.media.workDir, async (folder) => {
      const made = await makeStep(claim, { signal, folder, onProgress: report.onProgress });
      warnings = made.warnings ?? [];
      // A report during this transaction would find the step done and call it dropped.
      report.end();
      const isFinished = !signal.aborted && (await finishStep(claim, made));
      if (isFinished) return true;
      await dropStored(claim.mediaId, made.files);
      signal.throwIfAborted();
      return false;
    });
    if (!isDone) return endDropped();
    return { ...ended("done"), ...(warnings.length === 0 ? {} : { warnings }) };
  } catch (error) {
    if (stopping.aborted) {
      await giveBack(claim);
      return ended("givenBack");
    }
    if (lost.aborted || dropped.signal.aborted || isDatabaseUnreachable(error)) return endDropped();
    if (error instanceof StorageUnavailableError && !error.isRefusal) {
      await giveBack(claim, "noStore");
      return ended("givenBack", error.message);
    }
    // A full disk may show only as a damaged file.
    if (isOfFullDisk(error) || (await isDiskFull(0))) {
      await giveBack(claim, "fullDisk");
      return ended("givenBack", DISK_FULL);
    }
    const { reason, lines } = explained(error);
    const isForGood = await failStep(claim, lines, retrySeconds);
    return ended(isForGood ? "failedForGood" : "failed", reason);
  } finally {
    stopping.removeEventListener("abort", onStop);
    report.end();
    onChange(claim.mediaId);
  }
}

/** Other files go later, because a retry may store them again. */
async function dropStored(mediaId: string, files: MediaFileRow[]): Promise<void> {
  const [item] = await db.execute(sql`SELECT FROM media WHERE id = ${mediaId} AND status <> 'deleted'`);
  const storageKeys = files.map(({ storageKey }) => storageKey);
  if (item === undefined) {
    for (const key of storageKeys) await deleteStored(key);
  } else if (storageKeys.length > 0) {
    await enqueue("delete-retired-files", { mediaId, storageKeys }, db, { afterSeconds: UNUSED_SECONDS });
  }
}

function isOfFullDisk(error: unknown): boolean {
  return isNoSpace(error) || (error as Error).message === DISK_FULL;
}

function reporter(claim: Claim, { onDropped, onPercent }: { onDropped(): void; onPercent(): void }) {
  let part = 0;
  let percent = 0;
  let isAnswering = false;
  let hasEnded = false;
  const timer = setInterval(() => {
    if (isAnswering) return;
    isAnswering = true;
    reportProgress(claim, part)
      .then((isOurs) => {
        if (hasEnded) return;
        if (!isOurs) return onDropped();
        const now = Math.round(part * 100);
        if (now !== percent) onPercent();
        percent = now;
      })
      // The next report may succeed; a lost connection ends the step.
      .catch(() => {})
      .finally(() => {
        isAnswering = false;
      });
  }, REPORT_MS);
  return {
    onProgress: (now: number) => {
      part = Math.max(0, Math.min(1, now));
    },
    end: () => {
      hasEnded = true;
      clearInterval(timer);
    },
  };
}

async function isDiskFull(needed: number): Promise<boolean> {
  return (await readMediaSpace()).freeBytes < DISK_RESERVE_BYTES + needed;
}

/** `lines` are for the studio, `reason` for the log. Neither names a file or a title. */
function explained(error: unknown): { reason: string; lines: string[] } {
  if (error instanceof VideoError) return { reason: error.message, lines: [...error.lines, error.message] };
  if (error instanceof StorageUnavailableError) return { reason: error.message, lines: [error.message] };
  if (error instanceof ImportRefusal) return { reason: "its source cannot be read", lines: [error.message] };
  const { code, name } = error as NodeJS.ErrnoException;
  const reason = `unexpected: ${code ?? name}`;
  return { reason, lines: [reason] };
}
