import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { findEncoding } from "#app/domain/catalog/encoding/encoding-view.server.ts";
import { runEncodingStep } from "#app/domain/catalog/encoding/run-step.server.ts";
import { enqueueMail } from "#app/domain/mail/outbox.server.ts";
import { hashFile } from "#app/domain/media/import/content-id.server.ts";
import { DISK_RESERVE_BYTES } from "#app/domain/media/storage/disk-full.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { sayFreeBytes } from "#tests/support/disks.ts";
import { startWorker } from "../support/billing/worker-process.ts";
import { startChaosProxy } from "../support/chaos-proxy.ts";
import { startMailServer } from "../support/copies/mail-server.ts";
import { HOST } from "../support/media.ts";
import { filesOf, saveVideo, stepsOf, workOff } from "./support/encoded.ts";

vi.setConfig({ testTimeout: 300_000 });

const folder = await mkdtemp(join(tmpdir(), "peony-encoder-"));
const STEPS = ["source", "rung-90", "video-90", "candidate", "sprite", "hover"];
const ONE = join(folder, "one.mp4");
const OTHER = join(folder, "other.mp4");
/** Stands in for a video of hours: it says who it is, and waits. */
let hanging = "";
const STARTED = join(folder, "started");

beforeAll(async () => {
  for (const [path, seconds] of [
    [ONE, 2],
    [OTHER, 3],
  ] as const) {
    const picture = ["-f", "lavfi", "-i", `testsrc2=s=160x90:r=10:d=${seconds}`, "-c:v", "libx264"];
    execFileSync("ffmpeg", ["-v", "error", "-y", ...picture, "-pix_fmt", "yuv420p", path]);
  }
  hanging = await hangingAt("hanging", "-nostdin");
});

/** Hangs when it is called with this argument. */
function hangingAt(name: string, argument: string): Promise<string> {
  return script(
    ...[name, `case " $* " in`, `*" ${argument} "*) echo $$ >> ${STARTED}; exec sleep 600;;`],
    ...[`*) exec ffmpeg "$@";;`, "esac"],
  );
}

async function script(name: string, ...lines: string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, ["#!/bin/sh", ...lines, ""].join("\n"), { mode: 0o700 });
  return path;
}

beforeEach(async () => {
  await db.execute(sql`TRUNCATE media CASCADE`);
});

async function programs(): Promise<number[]> {
  const text = await readFile(STARTED, "utf8").catch(() => "");
  return text.split("\n").filter(Boolean).map(Number);
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("a stopped worker returns its try, and another worker takes over from a killed one", async () => {
  const id = await saveVideo(ONE);
  const source = async () => (await stepsOf(id))[0];

  const stopped = startWorker({ FFMPEG_PATH: hanging });
  await expect.poll(programs, { timeout: 100_000 }).toHaveLength(1);
  expect(await source()).toMatchObject({ state: "running", attempts: 1 });
  const from = performance.now();
  stopped.process.kill("SIGTERM");
  await once(stopped.process, "exit");
  expect(performance.now() - from).toBeLessThan(9_000);
  expect(await source()).toMatchObject({ state: "waiting", attempts: 0, lines: [] });
  await stopped.kill();

  const killed = startWorker({ FFMPEG_PATH: hanging });
  await expect.poll(programs, { timeout: 100_000 }).toHaveLength(2);
  await killed.kill();
  expect(await source()).toMatchObject({ state: "running", attempts: 1 });
  await expect.poll(async () => (await programs()).filter(isThere), { timeout: 5_000 }).toEqual([]);

  const atLadder = startWorker({ FFMPEG_PATH: await hangingAt("hanging-at-ladder", "hls") });
  await expect.poll(programs, { timeout: 100_000 }).toHaveLength(3);
  await atLadder.kill();
  expect([...(await filesOf(id)).keys()].filter((name) => name.startsWith("rung-"))).toEqual([]);

  await expect
    .poll(() => workOff(), { timeout: 200_000 })
    .toEqual(STEPS.slice(1).map((step) => `${step} done`));
  expect(await source()).toMatchObject({ state: "done", attempts: 2 });
  expect([...(await filesOf(id)).keys()]).toContain("rung-90.m3u8");
});

test("a database outage costs a surviving worker's step no try, and does not make it run alone", async () => {
  const id = await saveVideo(ONE);
  const proxy = await startChaosProxy(process.env.DATABASE_URL ?? "");
  const before = (await programs()).length;
  const worker = startWorker({ FFMPEG_PATH: hanging, DATABASE_URL: proxy.url });
  onTestFinished(async () => {
    await worker.kill();
    await proxy.stop();
  });
  let log = "";
  worker.process.stdout?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  await expect.poll(programs, { timeout: 100_000 }).toHaveLength(before + 1);
  await proxy.turn("refuse");
  // It has tried in vain by then to give the step back.
  await expect.poll(() => log, { timeout: 60_000 }).toContain("encoding pauses");
  expect((await stepsOf(id))[0]).toMatchObject({ state: "running", attempts: 1 });
  await proxy.turn("pass");
  await expect.poll(programs, { timeout: 100_000 }).toHaveLength(before + 2);
  expect((await stepsOf(id))[0]).toMatchObject({ state: "running", attempts: 1, lines: [] });
});

test("emails are sent while three videos wait for an ffmpeg that hangs", async () => {
  const third = join(folder, "third.mp4");
  execFileSync("ffmpeg", ["-v", "error", "-y", "-i", ONE, "-c", "copy", "-metadata", "comment=third", third]);
  const ids = [await saveVideo(ONE), await saveVideo(OTHER), await saveVideo(third)];
  const states = async () =>
    (await Promise.all(ids.map(async (id) => (await stepsOf(id))[0]?.state))).toSorted();
  const mails = await startMailServer();
  const worker = startWorker({ FFMPEG_PATH: hanging, ENCODING_JOBS: "1", SMTP_URL: mails.url });
  onTestFinished(async () => {
    await worker.kill();
    await mails.stop();
  });
  const busy = ["running", "waiting", "waiting"];
  await expect.poll(states, { timeout: 100_000 }).toEqual(busy);
  const to = "reader@example.com";
  for (let count = 1; count <= 3; count += 1) {
    const mail = { kind: "sign-in", to, subject: "Sign in", html: "x", text: "x" } as const;
    await enqueueMail(mail, db);
    await expect.poll(() => mails.mailsTo(to), { timeout: 60_000 }).toHaveLength(count);
  }
  expect(await states()).toEqual(busy);
});

test("a hostile file fails after three tries without a connection, and the next one is made", async () => {
  let connections = 0;
  const listener = createServer(() => {}).on("connection", () => {
    connections += 1;
  });
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const { port } = listener.address() as AddressInfo;
  const poisoned = await saveVideo(ONE);
  const good = await saveVideo(OTHER);
  const [original] = await db.execute<{ key: string }>(
    sql`SELECT storage_key AS key FROM media_originals WHERE media_id = ${poisoned}`,
  );
  const playlist = await mediaStorage.put(
    original?.key ?? "",
    Buffer.from(
      `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nhttp://127.0.0.1:${port}/x.ts\n#EXT-X-ENDLIST\n`,
    ),
  );
  await db.execute(sql`UPDATE media_originals SET sha256 = ${playlist.sha256} WHERE media_id = ${poisoned}`);

  expect(await workOff()).toEqual([
    ...["source failed", "source failed", "source failedForGood"],
    ...STEPS.map((step) => `${step} done`),
  ]);
  expect((await stepsOf(poisoned))[0]).toMatchObject({
    ...{ state: "failed", attempts: 3, lines: ["not a supported video, or damaged"] },
  });
  expect((await stepsOf(good)).every(({ state }) => state === "done")).toBe(true);
  expect(connections).toBe(0);
  listener.close();
});

/** Works on one step. */
function workOnce(options: { retrySeconds?: number } = {}) {
  const never = new AbortController().signal;
  return runEncodingStep(1, { stopping: never, lost: never, ...options });
}

/** Until the test ends, ffmpeg does something first. */
async function useFfmpeg(first: string): Promise<void> {
  const { ffmpeg } = config.media;
  config.media.ffmpeg = await script("stand-in", first, `exec "${ffmpeg}" "$@"`);
  onTestFinished(() => {
    config.media.ffmpeg = ffmpeg;
  });
}

/** A picture with two audio tracks; `more`: arguments for them. */
function withTwoAudioTracks(name: string, ...more: string[]): string {
  const path = join(folder, name);
  const tones = [440, 880].flatMap((hertz) => ["-f", "lavfi", "-i", `sine=f=${hertz}:d=2`]);
  execFileSync("ffmpeg", [
    ...["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=2", ...tones],
    ...["-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"],
    ...["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger", ...more, path],
  ]);
  return path;
}

test("an additional audio track that cannot be decoded is left out, the video is made, and the studio says so", async () => {
  const id = await saveVideo(withTwoAudioTracks("sounds.mkv", "-bsf:a:1", "noise=amount=1"));
  expect(await workOff()).toEqual(STEPS.map((step) => `${step} done`));
  const [encoding] = await db.execute<{ tracks: number }>(sql`
    SELECT jsonb_array_length(source -> 'video' -> 'sounds') AS tracks FROM media_encodings WHERE media_id = ${id}`);
  expect(encoding).toEqual({ tracks: 1 });
  expect((await filesOf(id)).get("rung-90.m3u8")?.codecs).toContain("mp4a.40.2");
  expect((await findEncoding(HOST, id))?.steps).toMatchObject([
    { state: "done", lines: ["1 of its 2 audio tracks could not be decoded and were left out"] },
    ...STEPS.slice(1).map(() => ({ state: "done", lines: [] })),
  ]);
});

test("an audio track is not left out when its reading is killed once", async () => {
  const id = await saveVideo(withTwoAudioTracks("both.mkv"));
  const killed = join(folder, "killed");
  await useFfmpeg(
    `case " $* " in *" -map 0:2 "*) [ -e ${killed} ] || { touch ${killed}; kill -KILL $$; };; esac`,
  );
  expect(await workOnce({ retrySeconds: 0 })).toMatchObject({ step: "source", outcome: "failed" });
  expect(await workOnce()).toMatchObject({ step: "source", outcome: "done" });
  expect((await stepsOf(id)).map(({ step }) => step)).toContain("sound-2");
});

test("a disk that fills during a step costs no try, and the step succeeds once there is room", async () => {
  const { ffmpeg } = config.media;
  const id = await saveVideo(ONE);
  expect(await workOnce()).toMatchObject({ step: "source", outcome: "done" });
  await useFfmpeg(
    `case " $* " in *" hls "*) echo "[hls @ 0x1] [error] No space left on device" >&2; exit 1;; esac`,
  );
  const makeDue = () => db.execute(sql`UPDATE media_work SET due_at = now() WHERE media_id = ${id}`);
  const full = { state: "waiting", attempts: 0, lines: [expect.stringContaining("is nearly full")] };
  expect(await workOnce()).toMatchObject({ step: "rung-90", outcome: "givenBack" });
  expect((await stepsOf(id))[1]).toMatchObject(full);
  expect([...(await filesOf(id)).keys()].filter((name) => name.startsWith("rung-"))).toEqual([]);
  // It does not even begin while the disk is full.
  config.media.ffmpeg = "/bin/false";
  const roomAgain = sayFreeBytes(DISK_RESERVE_BYTES);
  await makeDue();
  expect(await workOnce()).toMatchObject({ step: "rung-90", outcome: "givenBack" });
  expect((await stepsOf(id))[1]).toMatchObject(full);
  roomAgain();
  config.media.ffmpeg = ffmpeg;
  await makeDue();
  expect(await workOff()).toEqual(STEPS.slice(1).map((step) => `${step} done`));
});

test("a site that is restored during an encoding makes lost files again, published ones included", async () => {
  const id = await saveVideo(withTwoAudioTracks("restored.mkv"));
  const lose = async (step: string) => {
    const lost = await db.execute<{ key: string }>(sql`
      SELECT file ->> 'storageKey' AS key FROM media_work, jsonb_array_elements(made) file
      WHERE media_id = ${id} AND step = ${step} AND state = 'done'`);
    expect(lost).not.toEqual([]);
    for (const { key } of lost) await mediaStorage.delete(key);
  };
  const outcomes: string[] = [];
  const work = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      const ended = await workOnce();
      if (ended !== "nothing") outcomes.push(`${ended.step} ${ended.outcome}`);
    }
  };
  await work(2);
  await lose("rung-90");
  await work(4);
  // The ladder is shown now.
  await lose("rung-90");
  await lose("sound-1");
  outcomes.push(...(await workOff()));
  expect(outcomes).toEqual([
    ...["source done", "rung-90 done", "sound-1 givenBack", "rung-90 done", "sound-1 done", "sound-2 done"],
    ...["video-90 givenBack", "rung-90 done", "sound-1 done", "video-90 done"],
    ...["candidate done", "sprite done", "hover done"],
  ]);
  expect((await stepsOf(id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  for (const { path, sha256 } of (await filesOf(id)).values()) expect(await hashFile(path)).toBe(sha256);
});

test("two runners at once make each step once", async () => {
  const ids = [await saveVideo(ONE), await saveVideo(OTHER)];
  // The one that is idle first would end before the other has made what its steps wait for.
  const outcomes = (await Promise.all([workOff(1), workOff(2)])).flat();
  outcomes.push(...(await workOff(3)));
  expect(outcomes.sort()).toEqual([...STEPS, ...STEPS].map((step) => `${step} done`).sort());
  for (const id of ids)
    expect((await stepsOf(id)).map(({ attempts }) => attempts)).toEqual(STEPS.map(() => 1));
});

test("a step ends when its item is deleted, and shows nothing", async () => {
  const id = await saveVideo(ONE);
  expect(await workOnce()).toMatchObject({ step: "source", outcome: "done" });
  const running = workOnce();
  await expect.poll(async () => (await stepsOf(id))[1]?.state, { interval: 5 }).toBe("running");
  // Only a draft that was never public is deleted at once.
  await db.execute(sql`UPDATE media SET status = 'draft', first_published_at = NULL WHERE id = ${id}`);
  expect(await changeState(HOST, id, "delete")).toMatchObject({ done: true });
  expect(await running).toMatchObject({ step: "rung-90", outcome: "dropped" });
  expect(await stepsOf(id)).toEqual([]);
  expect((await filesOf(id)).size).toBe(0);
  // The next worker that starts sweeps what a killed one was writing.
  const incoming = await readdir(join(config.media.workDir, ".incoming"));
  expect(incoming.filter((name) => name.split("-")[1] === String(process.pid))).toEqual([]);
});
