import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { changeState } from "#app/domain/catalog/edit/states/transitions.server.ts";
import { runEncodingStep } from "#app/domain/catalog/encoding/run-step.server.ts";
import { hashFile } from "#app/domain/media/intake/content-id.server.ts";
import { db } from "#db/client.server.ts";
import { startWorker } from "../support/billing/worker-process.ts";
import { HOST } from "../support/media.ts";
import { filesOf, saveVideo, stepsOf, workOff } from "./support/encoded.ts";

vi.setConfig({ testTimeout: 300_000 });

const folder = await mkdtemp(join(tmpdir(), "peony-encoder-"));
const STEPS = ["source", "rung-90", "video-90", "candidate", "sprite", "hover"];
const ONE = join(folder, "one.mp4");
const OTHER = join(folder, "other.mp4");
/** Stands in for a video of hours: it says who it is, and waits. */
const HANGING = join(folder, "hanging");
const STARTED = join(folder, "started");

beforeAll(async () => {
  for (const [path, seconds] of [
    [ONE, 2],
    [OTHER, 3],
  ] as const) {
    const picture = ["-f", "lavfi", "-i", `testsrc2=s=160x90:r=10:d=${seconds}`, "-c:v", "libx264"];
    execFileSync("ffmpeg", ["-v", "error", "-y", ...picture, "-pix_fmt", "yuv420p", path]);
  }
  const lines = [
    ...["#!/bin/sh", `case " $* " in`, `*" -nostdin "*) echo $$ >> ${STARTED}; exec sleep 600;;`],
    ...[`*) exec ffmpeg "$@";;`, "esac", ""],
  ];
  await writeFile(HANGING, lines.join("\n"));
  await chmod(HANGING, 0o700);
});

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

test("a worker that is stopped gives its try back, and another takes over from one that was killed", async () => {
  const id = await saveVideo(ONE);
  const source = async () => (await stepsOf(id))[0];

  const stopped = startWorker({ FFMPEG_PATH: HANGING });
  await expect.poll(programs, { timeout: 100_000 }).toHaveLength(1);
  expect(await source()).toMatchObject({ state: "running", attempts: 1 });
  const from = performance.now();
  stopped.process.kill("SIGTERM");
  await once(stopped.process, "exit");
  expect(performance.now() - from).toBeLessThan(9_000);
  expect(await source()).toMatchObject({ state: "waiting", attempts: 0, lines: [] });
  await stopped.kill();

  const killed = startWorker({ FFMPEG_PATH: HANGING });
  await expect.poll(programs, { timeout: 100_000 }).toHaveLength(2);
  await killed.kill();
  expect(await source()).toMatchObject({ state: "running", attempts: 1 });
  await expect.poll(async () => (await programs()).filter(isThere), { timeout: 5_000 }).toEqual([]);

  await expect.poll(() => workOff(), { timeout: 100_000 }).toEqual(STEPS.map((step) => `${step} done`));
  expect(await source()).toMatchObject({ state: "done", attempts: 2 });
  expect([...(await filesOf(id)).keys()]).toContain("rung-90.m3u8");
});

test("a poisonous file ends after three tries without a connection, and the next one is made", async () => {
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
  const path = join(config.media.dir, original?.key ?? "");
  await writeFile(
    path,
    `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nhttp://127.0.0.1:${port}/x.ts\n#EXT-X-ENDLIST\n`,
  );
  await db.execute(
    sql`UPDATE media_originals SET sha256 = ${await hashFile(path)} WHERE media_id = ${poisoned}`,
  );

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

test("a sound beside the default one that cannot be decoded is left out, and the video is made", async () => {
  const path = join(folder, "sounds.mkv");
  const tones = [440, 880].flatMap((hertz) => ["-f", "lavfi", "-i", `sine=f=${hertz}:d=2`]);
  execFileSync("ffmpeg", [
    ...["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=2", ...tones],
    ...["-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"],
    ...["-bsf:a:1", "noise=amount=1", path],
  ]);
  const id = await saveVideo(path);
  expect(await workOff()).toEqual(STEPS.map((step) => `${step} done`));
  const [encoding] = await db.execute<{ sounds: number }>(sql`
    SELECT jsonb_array_length(source -> 'video' -> 'sounds') AS sounds FROM media_encodings WHERE media_id = ${id}`);
  expect(encoding).toEqual({ sounds: 1 });
  expect((await filesOf(id)).get("rung-90.m3u8")?.codecs).toContain("mp4a.40.2");
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

test("a step of an item that is deleted meanwhile ends, and nothing of it is shown", async () => {
  const id = await saveVideo(ONE);
  const never = new AbortController().signal;
  const signals = { stopping: never, lost: never };
  expect(await runEncodingStep(1, signals)).toMatchObject({ step: "source", outcome: "done" });
  const running = runEncodingStep(1, signals);
  await expect.poll(async () => (await stepsOf(id))[1]?.state, { interval: 5 }).toBe("running");
  // Only a draft that was never public is deleted at once.
  await db.execute(sql`UPDATE media SET status = 'draft', first_published_at = NULL WHERE id = ${id}`);
  expect(await changeState(HOST, id, "delete")).toMatchObject({ done: true });
  expect(await running).toMatchObject({ step: "rung-90", outcome: "dropped" });
  expect(await stepsOf(id)).toEqual([]);
  expect((await filesOf(id)).size).toBe(0);
  // The next worker that starts sweeps what a killed one was writing.
  const incoming = await readdir(join(config.media.dir, ".incoming"));
  expect(incoming.filter((name) => name.split("-")[1] === String(process.pid))).toEqual([]);
});
