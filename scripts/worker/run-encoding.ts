// Needed because three films in the queue's own pools would keep sign-in mails waiting: decision 159.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { config } from "#app/config.server.ts";
import { announceLive } from "#app/domain/announcements/live-announcements.server.ts";
import { giveBackOf, runnerLock } from "#app/domain/catalog/encoding/claims.server.ts";
import { runEncodingStep } from "#app/domain/catalog/encoding/run-step.server.ts";
import { sweepTemporary } from "#app/domain/media/storage/temporary.server.ts";
import { listMissing } from "#app/domain/media/video/encoding-needs.server.ts";
import { log } from "#app/log.server.ts";
import { pgOptions } from "#db/adapter/driver-options.ts";

/** A look costs one walk of an index that holds open steps only. */
const LOOK_MS = 2_000;
const RECONNECT_MS = 5_000;
/** All who lost the database have connected again and given back what they had begun, or are dead. */
const ALL_RECONNECTED_MS = 2 * RECONNECT_MS;
const MAX_RUNNER = 2 ** 31 - 1;
export const ENCODER_NAME = "peony-encoder";

interface EncodingRunner {
  /** Resolves when no step runs; those that did begin again later. */
  stop(): Promise<void>;
}

/** Makes the files of videos, ENCODING_JOBS at a time, one step after the other. */
export async function runEncoding(jobs: number = config.media.encodingJobs): Promise<EncodingRunner> {
  const stopping = new AbortController();
  if (jobs === 0) return { stop: async () => {} };
  // A killed worker leaves what it was writing.
  await sweepTemporary(config.media.dir).catch((error: unknown) =>
    log.warn({ err: error }, "the temporary folder could not be swept"),
  );
  void listMissing().then(
    (missing) => {
      if (missing.length > 0) log.warn({ missing }, "ffmpeg lacks what some files of videos need");
    },
    () => log.warn("ffmpeg cannot be run, so no files of videos are made: install it, or set FFMPEG_PATH"),
  );
  const cutOff = new Set<number>();
  const slots = Array.from({ length: jobs }, () => keepWorking(stopping.signal, cutOff));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(slots);
    },
  };
}

/**
 * Works under a number that the database knows to be alive, and under another one when the connection was lost. `cutOff`
 * holds the earlier numbers of this worker: the database takes their runners for dead.
 */
async function keepWorking(stopping: AbortSignal, cutOff: Set<number>): Promise<void> {
  while (!stopping.aborted) {
    try {
      await workConnected(stopping, cutOff);
    } catch (error) {
      log.warn({ err: error }, "the work on videos pauses, because the database did not answer");
    }
    await pause(RECONNECT_MS, stopping);
  }
}

async function workConnected(stopping: AbortSignal, cutOff: Set<number>): Promise<void> {
  const options = await pgOptions(config.database.url ?? "");
  const client = new pg.Client({ ...options, application_name: ENCODER_NAME, keepAlive: true });
  const lost = new AbortController();
  client.on("error", () => lost.abort());
  client.on("end", () => lost.abort());
  await client.connect();
  try {
    const runner = randomInt(1, MAX_RUNNER);
    const { rows } = await client.query<{ locked: boolean }>(runnerLock(runner));
    if (!rows[0]?.locked) return;
    lost.signal.addEventListener("abort", () => cutOff.add(runner));
    if (cutOff.size > 0) {
      const runners = [...cutOff];
      await giveBackOf(runners);
      for (const earlier of runners) cutOff.delete(earlier);
      await pause(ALL_RECONNECTED_MS, AbortSignal.any([stopping, lost.signal]));
    }
    while (!stopping.aborted && !lost.signal.aborted) {
      const outcome = await runEncodingStep(runner, { stopping, lost: lost.signal, onChange });
      if (outcome === "nothing") await pause(LOOK_MS, AbortSignal.any([stopping, lost.signal]));
      else log[outcome.warnings ? "warn" : "info"]({ ...outcome }, "a step of a video has ended");
    }
  } finally {
    await client.end().catch(() => {});
  }
}

function onChange(mediaId: string): void {
  announceLive({ kind: "encoding", mediaId });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
