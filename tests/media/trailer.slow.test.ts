import { execFileSync } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { saveTrailer, trailerVersion } from "#app/domain/catalog/edit/files/trailer.server.ts";
import { queueTrailer } from "#app/domain/catalog/edit/files/trailer-step.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { HOST } from "#tests/support/media.ts";
import { saveVideo, workOff } from "./support/encoded.ts";

vi.setConfig({ testTimeout: 120_000 });

const folder = await mkdtemp(join(tmpdir(), "peony-trailer-"));

test("a trailer is cut with audio and preview once its video is made, and again for another range", async () => {
  const path = join(folder, "film.mp4");
  // Its audio outlasts its picture.
  execFileSync(config.media.ffmpeg, [
    ...["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=12:d=5", "-f", "lavfi", "-i", "sine=d=8"],
    ...["-metadata", "title=Canary", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"],
    ...["-c:a", "aac", path],
  ]);
  const id = await saveVideo(path);
  expect(await saveTrailer(HOST, id, { from: 1, to: 4.5 }, trailerVersion(null))).toMatchObject({
    saved: true,
  });
  expect((await workOff()).at(-1)).toBe("trailer done");
  const first = await trailerOf(id);
  expect(first.map(({ name, needs }) => `${name} ${needs}`)).toEqual([
    "trailer-hover.mp4 see",
    "trailer.mp4 see",
  ]);
  const facts = await probe(first[1]?.storageKey ?? "");
  expect(facts.streams.map(({ codec_name: codec }) => codec)).toEqual(["h264", "aac"]);
  expect(Math.abs(Number(facts.format.duration) - 3.5)).toBeLessThanOrEqual(0.1);
  expect(JSON.stringify(facts)).not.toContain("Canary");
  const preview = await probe(first[0]?.storageKey ?? "");
  expect(preview.streams.map(({ codec_name: codec }) => codec)).toEqual(["h264"]);
  expect(Math.abs(Number(preview.format.duration) - 3)).toBeLessThanOrEqual(0.1);

  // Up to the end, whose length a page rounds.
  await saveTrailer(HOST, id, { from: 2, to: 8.9 }, trailerVersion({ from: 1, to: 4.5 }));
  expect(await workOff()).toEqual(["trailer done"]);
  const second = await trailerOf(id);
  expect(second.map(({ name }) => name)).toEqual(["trailer-hover.mp4", "trailer.mp4"]);
  expect(second[1]?.version).not.toBe(first[1]?.version);
  expect(
    Math.abs(Number((await probe(second[1]?.storageKey ?? "")).format.duration) - 6),
  ).toBeLessThanOrEqual(0.1);

  // A trailer that was chosen while the video was said to be longer has no pictures.
  await db.execute(sql`UPDATE media_trailers SET from_seconds = 20, to_seconds = 25 WHERE media_id = ${id}`);
  await db.transaction((tx) => queueTrailer(tx, id));
  expect(await workOff()).toEqual(["trailer failed", "trailer failed", "trailer failedForGood"]);
  const [step] = await db.execute(
    sql`SELECT to_json(last_lines) AS lines FROM media_work WHERE step = 'trailer'`,
  );
  expect(step).toEqual({ lines: ["the video ends before its trailer begins"] });
  expect(await trailerOf(id)).toEqual(second);
});

const trailerOf = (id: string) =>
  db.execute<{ name: string; needs: string; storageKey: string; version: number }>(sql`
    SELECT name, needs, storage_key AS "storageKey", version FROM media_files
    WHERE media_id = ${id} AND retired_at IS NULL AND name LIKE 'trailer%' ORDER BY name`);

async function probe(storageKey: string) {
  const path = (await mediaStorage.fileOf(storageKey, config.dataDir)) ?? "";
  const said = execFileSync(config.media.ffprobe, [
    "-v",
    "error",
    "-of",
    "json",
    "-show_streams",
    "-show_format",
    path,
  ]);
  return JSON.parse(said.toString()) as { streams: { codec_name: string }[]; format: { duration: string } };
}
