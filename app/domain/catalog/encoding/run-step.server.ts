import { config } from "#app/config.server.ts";
import { readDiskSpace } from "#app/domain/health/disk.server.ts";
import { Refusal } from "#app/domain/media/intake/refusal.ts";
import { inTemporaryFolder } from "#app/domain/media/storage/temporary.server.ts";
import { DISK_FULL } from "#app/domain/media/video/ffmpeg.server.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";
import { type Claim, claimStep, failStep, finishStep, giveBack, reportProgress } from "./claims.server.ts";
import { makeStep } from "./make-step.server.ts";

interface StepOutcome {
  media: string;
  step: string;
  outcome: "done" | "failed" | "failedForGood" | "givenBack" | "dropped";
  seconds: number;
  /** In short, for a step that failed. */
  reason?: string;
}

interface Signals {
  /** The worker stops: the step is given back. */
  stopping: AbortSignal;
  /** Another worker may take the step over. */
  lost: AbortSignal;
  retrySeconds?: number;
}

const REPORT_MS = 1_000;
/** For the database's own writes; a file is not begun with less. */
const MIN_FREE_BYTES = 512 * 1024 ** 2;

/** Claims the next step and works on it until it has ended. */
export async function runEncodingStep(
  runner: number,
  { stopping, lost, retrySeconds }: Signals,
): Promise<StepOutcome | "nothing"> {
  const claim = await claimStep(runner);
  if (claim === null) return "nothing";
  const startedAt = performance.now();
  const ended = (outcome: StepOutcome["outcome"], reason?: string): StepOutcome => ({
    ...{ media: claim.mediaId, step: claim.step, outcome },
    seconds: Math.round((performance.now() - startedAt) / 1000),
    ...(reason === undefined ? {} : { reason }),
  });
  const dropped = new AbortController();
  // It waits until an item that was taken down is back; nothing is left of one that was deleted.
  const endDropped = async () => {
    await giveBack(claim, "stopping");
    return ended("dropped");
  };
  const report = reporter(claim, () => dropped.abort(new Error("the step was dropped")));
  const signal = AbortSignal.any([stopping, lost, dropped.signal]);
  try {
    if (await isDiskFull()) {
      await giveBack(claim, "full");
      return ended("givenBack", DISK_FULL);
    }
    const isDone = await inTemporaryFolder(config.media.dir, async (folder) => {
      const made = await makeStep(claim, { signal, folder, onProgress: report.onProgress });
      signal.throwIfAborted();
      return finishStep(claim, made);
    });
    return isDone ? ended("done") : endDropped();
  } catch (error) {
    if (stopping.aborted) {
      await giveBack(claim, "stopping");
      return ended("givenBack");
    }
    if (lost.aborted || dropped.signal.aborted) return endDropped();
    const { reason, lines } = explained(error);
    const isForGood = await failStep(claim, lines, retrySeconds);
    return ended(isForGood ? "failedForGood" : "failed", reason);
  } finally {
    report.end();
  }
}

/** Stores the progress once a second, which also tells whether the step is still wanted. */
function reporter(claim: Claim, onDropped: () => void) {
  let part = 0;
  let isAnswering = false;
  const timer = setInterval(() => {
    if (isAnswering) return;
    isAnswering = true;
    reportProgress(claim, part)
      .then((isOurs) => {
        if (!isOurs) onDropped();
      })
      // The next one may arrive; the loss of the connection ends the step.
      .catch(() => {})
      .finally(() => {
        isAnswering = false;
      });
  }, REPORT_MS);
  return {
    onProgress: (now: number) => {
      part = Math.max(0, Math.min(1, now));
    },
    end: () => clearInterval(timer),
  };
}

async function isDiskFull(): Promise<boolean> {
  try {
    return (await readDiskSpace(config.media.dir)).freeBytes < MIN_FREE_BYTES;
  } catch {
    // The first file makes the folder.
    return false;
  }
}

/** `lines` are for the studio, `reason` for the log: neither names a file or a title. */
function explained(error: unknown): { reason: string; lines: string[] } {
  if (error instanceof VideoError) return { reason: error.message, lines: [...error.lines, error.message] };
  if (error instanceof Refusal) return { reason: "its source cannot be read", lines: [error.message] };
  const { code, name } = error as NodeJS.ErrnoException;
  const reason = code === "ENOSPC" ? DISK_FULL : `unexpected: ${code ?? name}`;
  return { reason, lines: [reason] };
}
