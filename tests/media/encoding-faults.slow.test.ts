import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { saveTrailer, trailerVersion } from "#app/domain/catalog/edit/files/trailer.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { sweepTemporary } from "#app/domain/media/storage/temporary.server.ts";
import { db } from "#db/client.server.ts";
import { mayMount } from "#tests/support/disks.ts";
import { HOST } from "#tests/support/media.ts";
import { startWorker } from "../support/billing/worker-process.ts";
import { filesOf, saveVideo, stepsOf, workOff } from "./support/encoded.ts";

vi.setConfig({ testTimeout: 1_800_000 });

const folder = await mkdtemp(join(tmpdir(), "peony-encoding-faults-"));
const STEPS = ["source", "rung-90", "video-90", "candidate", "sprite", "hover"];
/** Only a video with two audio tracks has the first, and one with a trailer the second. */
const MORE_STEPS = ["sound-2", "trailer"];
const DONE = STEPS.map((step) => `${step} done`);
const STARTED = join(folder, "started");
const KILLS = 3;
/** Steps that end before the worker does are no kills. */
const MAX_ROUNDS = 5 * KILLS;
/** A part of the time that the worker took to begin, so that a slow machine gets as far. */
const LATEST_KILL = 1.5;
const GOOD = 5;
const TRIES = 3;

/** Stands in for ffmpeg: does something first whenever a file is made. */
async function standIn(name: string, first: string): Promise<string> {
  const path = join(folder, name);
  const making = `case " $* " in *" -nostdin "*) ${first};; esac`;
  await writeFile(path, `#!/bin/sh\n${making}\nexec "${config.media.ffmpeg}" "$@"\n`);
  await chmod(path, 0o700);
  return path;
}

const SHORT = join(folder, "short.mp4");
const TWO_AUDIO_TRACKS = join(folder, "two-audio-tracks.mp4");

beforeAll(() => {
  const picture = ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=2", "-c:v", "libx264"];
  execFileSync("ffmpeg", ["-v", "error", "-y", ...picture, "-pix_fmt", "yuv420p", SHORT]);
  const tones = ["de", "en"].flatMap(() => ["-f", "lavfi", "-i", "sine=d=2"]);
  const maps = ["-map", "0", "-map", "1", "-map", "2", "-c:v", "copy", "-c:a", "aac"];
  const languages = ["-metadata:s:a:0", "language=deu", "-metadata:s:a:1", "language=eng"];
  execFileSync("ffmpeg", [
    "-v",
    "error",
    "-y",
    "-i",
    SHORT,
    ...tones,
    ...maps,
    ...languages,
    TWO_AUDIO_TRACKS,
  ]);
});

beforeEach(async () => {
  await forgetPrograms();
  await db.execute(sql`TRUNCATE media CASCADE`);
});

/** A video of its own: the import refuses the same bytes. */
async function another(name: string, source = SHORT): Promise<string> {
  const path = join(folder, `${name}.mp4`);
  const copy = ["-i", source, "-map", "0", "-c", "copy", "-metadata", `comment=${name}`, path];
  execFileSync("ffmpeg", ["-v", "error", "-y", ...copy]);
  return saveVideo(path);
}

async function stepOf(mediaId: string, step: string) {
  return (await stepsOf(mediaId)).find((row) => row.step === step);
}

/** Other programs get the numbers of those that have ended. */
async function forgetPrograms(): Promise<void> {
  await rm(STARTED, { force: true });
}

async function runningPrograms(): Promise<number[]> {
  const text = await readFile(STARTED, "utf8").catch(() => "");
  const pids = text.split("\n").filter(Boolean).map(Number);
  return pids.filter((pid) => existsSync(`/proc/${pid}`));
}

/** Every file that visitors may get is there with the bytes that its row says. */
async function expectWhole(): Promise<void> {
  const rows = await db.execute<{ name: string; key: string; sha256: string }>(
    sql`SELECT name, storage_key AS key, sha256 FROM media_files WHERE retired_at IS NULL`,
  );
  for (const { name, key, sha256 } of rows) {
    const bytes = (await mediaStorage.read(key)) ?? "";
    expect(createHash("sha256").update(bytes).digest("hex"), name).toBe(sha256);
  }
}

/** Makes the steps of all videos due, or of one video one step alone. */
async function makeDue(mediaId: string | null = null, step: string | null = null): Promise<void> {
  await db.execute(sql`UPDATE media_work
    SET due_at = CASE WHEN step = coalesce(${step}, step) THEN now() ELSE now() + interval '1 day' END
    WHERE media_id = coalesce(${mediaId}::uuid, media_id)`);
}

async function makeAllBefore(mediaId: string, step: string): Promise<void> {
  for (;;) {
    const next = (await stepsOf(mediaId)).find(({ state }) => state !== "done");
    await makeDue(null, "none");
    if (next === undefined || next.step === step) return;
    await makeDue(mediaId, next.step);
    await workOff();
  }
}

/** As before its first try, with nothing shown of what its group has made. */
async function undo(mediaId: string, step: string): Promise<void> {
  const undone = await db.execute(sql`
    DELETE FROM media_files f USING media_work w, jsonb_array_elements(w.made) file
    WHERE w.media_id = ${mediaId} AND w.file_group = (SELECT file_group FROM media_work
      WHERE media_id = ${mediaId} AND step = ${step}) AND f.storage_key = file ->> 'storageKey' RETURNING f.name`);
  if (undone.length > 0)
    await db.execute(sql`
      UPDATE media_files SET retired_at = NULL WHERE media_id = ${mediaId} AND (name, version) IN (
        SELECT DISTINCT ON (name) name, version FROM media_files was WHERE was.media_id = ${mediaId}
          AND NOT EXISTS (SELECT FROM media_files f WHERE f.media_id = was.media_id AND f.name = was.name
            AND f.retired_at IS NULL)
        ORDER BY name, version DESC)`);
  await db.execute(sql`UPDATE media_work SET state = 'waiting', attempts = 0, made = '[]', claimed_by = NULL
    WHERE media_id = ${mediaId} AND step = ${step}`);
}

test(`a worker that is killed ${KILLS} times at each step shows nothing unfinished, and the next one finishes`, async () => {
  const slow = await standIn("slow", `echo $$ >> ${STARTED}; sleep 0.3`);
  // One video for each step: those before it are done, and those after it wait.
  const ids = new Map<string, string>();
  const steps = [...STEPS, ...MORE_STEPS];
  for (const step of steps) {
    const id = await another(step, step === "sound-2" ? TWO_AUDIO_TRACKS : SHORT);
    if (step === "trailer") await saveTrailer(HOST, id, { from: 0, to: 1.5 }, trailerVersion(null));
    ids.set(step, id);
    await makeAllBefore(id, step);
  }
  const kills = new Map(steps.map((step) => [step, 0]));
  const before = new Map<string, string[]>();
  for (const [step, id] of ids) before.set(step, [...(await filesOf(id)).keys()]);
  for (let round = 0; round < MAX_ROUNDS && Math.min(...kills.values()) < KILLS; round += 1) {
    for (const [step, id] of ids) {
      // Three deaths fail a step for good, so each of these is a first one.
      await undo(id, step);
      await makeDue(id, step);
    }
    const from = performance.now();
    const worker = startWorker({ FFMPEG_PATH: slow, ENCODING_JOBS: String(steps.length) });
    const waiting = () => db.execute(sql`SELECT FROM media_work WHERE state = 'waiting' AND due_at <= now()`);
    await expect.poll(waiting, { timeout: 60_000, interval: 50 }).toEqual([]);
    await sleep(Math.random() * LATEST_KILL * (performance.now() - from));
    await worker.kill();
    await expect.poll(runningPrograms, { timeout: 5_000, interval: 50 }).toEqual([]);
    await forgetPrograms();
    await expectWhole();
    for (const [step, id] of ids) {
      const state = (await stepOf(id, step))?.state;
      if (state === "done") continue;
      expect(state, step).toBe("running");
      kills.set(step, (kills.get(step) ?? 0) + 1);
      expect([...(await filesOf(id)).keys()], step).toEqual(before.get(step));
    }
  }
  expect(Math.min(...kills.values())).toBeGreaterThanOrEqual(KILLS);
  await makeDue();
  await workOff();
  for (const id of ids.values()) {
    expect(new Set((await stepsOf(id)).map(({ state }) => state))).toEqual(new Set(["done"]));
    expect([...(await filesOf(id)).keys()]).toEqual(expect.arrayContaining(["hover.mp4", "rung-90.m3u8"]));
  }
  expect([...(await filesOf(ids.get("sound-2") ?? "")).keys()]).toContain("rung-sound-2.m3u8");
  expect([...(await filesOf(ids.get("trailer") ?? "")).keys()]).toContain("trailer.mp4");
  await expectWhole();
  // Every worker swept what the one before it had left; nobody has come after the last.
  await sweepTemporary(config.media.workDir);
  expect(await readdir(join(config.media.workDir, ".incoming"))).toEqual([]);
});

test(`a file that kills its worker three times fails, and ${GOOD} behind it are made`, async () => {
  const poisoned = await another("poison");
  const good: string[] = [];
  for (let number = 1; number <= GOOD; number += 1) good.push(await another(`good-${number}`));
  // The program was started by a shell, and that by the worker.
  const worker = "$(cut -d' ' -f4 /proc/$PPID/stat)";
  const deadly = await standIn("deadly", `case "$*" in *${poisoned}*) kill -9 ${worker};; esac`);
  let deaths = 0;
  const open = () =>
    db
      .execute(sql`SELECT FROM media_work WHERE state IN ('waiting', 'running') LIMIT 1`)
      .then((rows) => rows.length);
  while ((await open()) > 0) {
    const running = startWorker({ FFMPEG_PATH: deadly, ENCODING_JOBS: "2" });
    while (running.process.exitCode === null && running.process.signalCode === null && (await open()) > 0)
      await sleep(200);
    if (running.process.signalCode === "SIGKILL") deaths += 1;
    expect(deaths).toBeLessThanOrEqual(TRIES);
    await running.kill();
  }
  expect(deaths).toBe(TRIES);
  expect(await stepOf(poisoned, "source")).toMatchObject({
    ...{ state: "failed", attempts: TRIES, lines: ["The worker ended while it worked on this step."] },
  });
  for (const id of good) {
    expect((await stepsOf(id)).map(({ state }) => state)).toEqual(STEPS.map(() => "done"));
  }
  await expectWhole();
});

test("three deployments during an encoding cost no try, and it finishes", async () => {
  const endless = await standIn(
    "endless",
    `echo $$ >> ${STARTED}; case " $* " in *" hls "*) sleep 600;; esac`,
  );
  const id = await another("deployed");
  const isAtWork = async () => (await stepOf(id, "rung-90"))?.state === "running";
  let present = startWorker({ FFMPEG_PATH: endless });
  for (let deployment = 1; deployment <= 3; deployment += 1) {
    await expect.poll(isAtWork, { timeout: 120_000, interval: 50 }).toBe(true);
    expect((await stepOf(id, "rung-90"))?.attempts).toBe(1);
    // As with two copies of the site: the next one is there before this one stops.
    const next = startWorker({ FFMPEG_PATH: endless });
    const from = performance.now();
    present.process.kill("SIGTERM");
    await once(present.process, "exit");
    expect(performance.now() - from).toBeLessThan(9_000);
    await present.kill();
    present = next;
  }
  await expect.poll(isAtWork, { timeout: 120_000, interval: 50 }).toBe(true);
  present.process.kill("SIGTERM");
  await once(present.process, "exit");
  await present.kill();
  expect(await stepOf(id, "rung-90")).toMatchObject({ state: "waiting", attempts: 0, lines: [] });
  await expect.poll(runningPrograms, { timeout: 5_000 }).toEqual([]);
  expect([...(await filesOf(id)).keys()].filter((name) => name.startsWith("rung-"))).toEqual([]);
  expect(await workOff()).toEqual(DONE.slice(1));
  expect((await stepsOf(id)).map(({ state, attempts }) => [state, attempts])).toEqual(
    STEPS.map(() => ["done", 1]),
  );
  await expectWhole();
});

test.skipIf(!mayMount())(
  "a disk that fills while a size is made costs no try, and the size is made when there is room",
  async () => {
    const { dir, ffmpeg } = config.media;
    const resize = (size: string) => `mount -o remount,size=${size} ${dir}`;
    // The files on it stay, and next to nothing can be added.
    const shrink = resize(`$(($(df --output=used -k ${dir} | tail -1) + 8))k`);
    const grow = () => execFileSync("sh", ["-c", resize("1300m")]);
    const greedy = await standIn("greedy", `case " $* " in *" hls "*) ${shrink};; esac`);
    await mkdir(dir, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1300m,mode=700", "none", dir]);
    try {
      const id = await another("crowded");
      config.media.ffmpeg = greedy;
      const full = {
        state: "waiting",
        attempts: 0,
        lines: [expect.stringContaining("is nearly full")],
      };
      expect(await workOff()).toEqual(["source done", "rung-90 givenBack"]);
      expect(await stepOf(id, "rung-90")).toMatchObject(full);
      await expectWhole();
      expect([...(await filesOf(id)).keys()].filter((name) => name.startsWith("rung-"))).toEqual([]);
      expect(await readdir(join(dir, ".incoming"))).toEqual([]);

      config.media.ffmpeg = "/bin/false";
      // It does not even begin while the disk is full.
      await makeDue();
      expect(await workOff()).toEqual(["rung-90 givenBack"]);
      expect(await stepOf(id, "rung-90")).toMatchObject(full);
      config.media.ffmpeg = ffmpeg;
      grow();
      await makeDue();
      expect(await workOff()).toEqual(DONE.slice(1));
      await expectWhole();
    } finally {
      config.media.ffmpeg = ffmpeg;
      execFileSync("umount", ["--lazy", dir]);
    }
  },
);
