// Needed because three videos in the queue's own pools would keep sign-in emails waiting: decision 159.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { parseDatabaseUrl } from "#app/config/database-address.ts";
import { config } from "#app/config.server.ts";
import { announceLive } from "#app/domain/announcements/live-announcements.server.ts";
import { giveBackOf, runnerLock } from "#app/domain/catalog/encoding/claims.server.ts";
import { runEncodingStep } from "#app/domain/catalog/encoding/run-step.server.ts";
import { sweepTemporary } from "#app/domain/media/storage/temporary.server.ts";
import { listMissingNeeds } from "#app/domain/media/video/encoding-needs.server.ts";
import { log } from "#app/log.server.ts";
import { connectTimeoutMs, pgOptions } from "#db/adapter/driver-options.ts";
import { isDatabaseUnreachable } from "#db/adapter/unreachable.ts";

/** Looking is cheap: the index holds only open steps. */
const LOOK_MS = 2_000;
const RECONNECT_MS = 5_000;
/** By then, every worker that lost the database has given its steps back or has died. */
const ALL_RECONNECTED_MS = 2 * RECONNECT_MS;
const MAX_RUNNER = 2 ** 31 - 1;
const ENCODER_NAME = "peony-encoder";

interface EncodingRunner {
  stop(): Promise<void>;
}

export async function runEncoding(jobs: number = config.media.encodingJobs): Promise<EncodingRunner> {
  const stopping = new AbortController();
  if (jobs === 0) return { stop: async () => {} };
  // A killed worker leaves half-written files.
  await sweepTemporary(config.media.workDir).catch((error: unknown) =>
    log.warn({ err: error }, "the temporary folder could not be swept"),
  );
  void listMissingNeeds().then(
    (missing) => {
      if (missing.length > 0) log.warn({ missing }, "ffmpeg lacks what some video files need");
    },
    () => log.warn("ffmpeg does not run, so no videos are encoded: install it, or set FFMPEG_PATH"),
  );
  const lostRunners = new Set<number>();
  const lanes = Array.from({ length: jobs }, () => keepWorking(stopping.signal, lostRunners));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(lanes);
    },
  };
}

/**
 * Each connection has a number, whose advisory lock shows other workers that this one is alive. The next
 * connection gives back the steps of lost ones, `lostRunners`.
 */
async function keepWorking(stopping: AbortSignal, lostRunners: Set<number>): Promise<void> {
  const lane = { hasLostDatabase: false };
  while (!stopping.aborted) {
    try {
      await workConnected(stopping, lostRunners, lane);
    } catch (error) {
      log.warn({ err: error }, "encoding pauses, because the database did not answer");
    }
    await pause(RECONNECT_MS, stopping);
  }
}

async function workConnected(
  stopping: AbortSignal,
  lostRunners: Set<number>,
  lane: { hasLostDatabase: boolean },
): Promise<void> {
  const url = config.database.directUrl ?? "";
  const client = new pg.Client({
    ...(await pgOptions(url)),
    application_name: ENCODER_NAME,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs(parseDatabaseUrl(url)),
  });
  const lost = new AbortController();
  client.on("error", () => lost.abort());
  client.on("end", () => lost.abort());
  await client.connect();
  const runner = randomInt(1, MAX_RUNNER);
  const onLost = () => {
    lostRunners.add(runner);
    lane.hasLostDatabase = true;
  };
  try {
    const { rows } = await client.query<{ locked: boolean }>(runnerLock(runner));
    if (!rows[0]?.locked) return;
    lost.signal.addEventListener("abort", onLost);
    const runners = [...lostRunners];
    if (runners.length > 0) await giveBackOf(runners);
    for (const earlier of runners) lostRunners.delete(earlier);
    if (lane.hasLostDatabase) await pause(ALL_RECONNECTED_MS, AbortSignal.any([stopping, lost.signal]));
    lane.hasLostDatabase = lost.signal.aborted;
    while (!stopping.aborted && !lost.signal.aborted) {
      const outcome = await runEncodingStep(runner, { stopping, lost: lost.signal, onChange });
      if (outcome === "nothing") await pause(LOOK_MS, AbortSignal.any([stopping, lost.signal]));
      else log[outcome.warnings ? "warn" : "info"]({ ...outcome }, "an encoding step ended");
    }
  } catch (error) {
    // The step is still claimed, because its end could not be stored.
    if (isDatabaseUnreachable(error)) onLost();
    throw error;
  } finally {
    lost.signal.removeEventListener("abort", onLost);
    await client.end().catch(() => {});
  }
}

function onChange(mediaId: string): void {
  announceLive({ kind: "encoding", mediaId });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
