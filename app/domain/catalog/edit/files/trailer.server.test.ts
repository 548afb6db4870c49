import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import { createEncoded, createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { findMedia } from "../../media/media.server.ts";
import { findMediaFile } from "../../media/served-file.server.ts";
import { storedVideo, trailerUrl } from "../../media/video-contents.server.ts";
import { queueEncoding } from "./queue-encoding.server.ts";
import { findTrailer, saveTrailer, trailerVersion } from "./trailer.server.ts";

const BYSTANDER: Actor = { id: crypto.randomUUID(), name: "ann@example.com", role: "records" };
const RANGE = { from: 10, to: 40.5 };
const NONE = trailerVersion(null);
const OPENED = trailerVersion(RANGE);

const stepOf = async (mediaId: string) => {
  const [step] = await db.execute<{ state: string; version: number }>(sql`
    SELECT state, version::int AS version FROM media_work w JOIN media_trailers t ON t.media_id = w.media_id
    WHERE w.media_id = ${mediaId} AND step = 'trailer'`);
  return step;
};

test("a trailer is queued for each new range, and whenever all files are made again", async () => {
  const { id } = await createVideo({ withFiles: true, durationSeconds: 600 });
  expect(await saveTrailer(HOST, id, RANGE, NONE)).toMatchObject({ saved: true });
  expect(await stepOf(id)).toEqual({ state: "waiting", version: 1 });
  await db.execute(sql`UPDATE media_work SET state = 'done' WHERE media_id = ${id}`);
  // A form that is sent twice.
  expect(await saveTrailer(HOST, id, RANGE, OPENED)).toMatchObject({ saved: true });
  expect(await stepOf(id)).toEqual({ state: "done", version: 1 });
  expect(await saveTrailer(HOST, id, { from: 0, to: 60 }, OPENED)).toMatchObject({ saved: true });
  expect(await stepOf(id)).toEqual({ state: "waiting", version: 2 });
  await db.transaction((tx) => queueEncoding(tx, id));
  expect(await stepOf(id)).toEqual({ state: "waiting", version: 3 });
  const log = await db.execute(
    sql`SELECT action, before, after FROM audit_log WHERE subject_id = ${id} ORDER BY id`,
  );
  expect(log).toEqual([
    { action: "media.trailerChanged", before: null, after: { trailer: RANGE } },
    { action: "media.trailerChanged", before: { trailer: RANGE }, after: { trailer: { from: 0, to: 60 } } },
  ]);
});

test("a removed trailer is no longer named, and its step is gone", async () => {
  const { id, slug } = await createVideo({ withFiles: true, durationSeconds: 600 });
  await createEncoded(id);
  await saveTrailer(HOST, id, RANGE, NONE);
  const named = async () => {
    const found = await findMedia("video", slug, null, storedVideo);
    return found && trailerUrl(id, found.part);
  };
  expect(await named()).toBe(`/media/${id}/1/trailer.mp4`);
  expect(await findTrailer(id)).toMatchObject({
    range: RANGE,
    isWanted: true,
    made: { url: `/media/${id}/1/trailer.mp4` },
  });
  expect(await saveTrailer(HOST, id, null, NONE)).toMatchObject({
    saved: false,
    conflict: { stored: RANGE },
  });
  expect(await saveTrailer(HOST, id, null, OPENED)).toMatchObject({ saved: true });
  expect(await named()).toBeNull();
  expect(await findTrailer(id)).toBeNull();
  expect(await stepOf(id)).toBeUndefined();
  for (const name of ["trailer.mp4", "trailer-hover.mp4"])
    expect(await findMediaFile(id, name, 1)).toBeNull();
  expect(await findMediaFile(id, "hover.mp4", 1)).not.toBeNull();
});

test("a failed or canceled trailer is not shown as being made, and is queued again when its range is saved again", async () => {
  const { id } = await createVideo({ withFiles: true, durationSeconds: 600 });
  await saveTrailer(HOST, id, RANGE, NONE);
  for (const [state, version] of [
    ["failed", 2],
    ["cancelled", 3],
  ] as const) {
    await db.execute(sql`UPDATE media_work SET state = ${state} WHERE media_id = ${id}`);
    expect(await findTrailer(id)).toMatchObject({ isWanted: false, isStopped: true });
    expect(await saveTrailer(HOST, id, RANGE, OPENED)).toMatchObject({ saved: true });
    expect(await stepOf(id)).toEqual({ state: "waiting", version });
    expect(await findTrailer(id)).toMatchObject({ isWanted: true, isStopped: false });
  }
});

test("a range must lie within the video and last no more than a minute, and the second of two editors overwrites nothing", async () => {
  const { id } = await createVideo({ withFiles: true, durationSeconds: 50 });
  const set = await createPhotoSet();
  expect(await saveTrailer(HOST, id, { from: 50, to: 60 }, NONE)).toMatchObject({
    errors: { from: expect.stringMatching(/ends before/) },
  });
  expect(await saveTrailer(HOST, id, { from: 40, to: 52 }, NONE)).toMatchObject({
    errors: { to: expect.stringMatching(/ends before/) },
  });
  expect(await saveTrailer(HOST, id, { from: 40, to: 40 }, NONE)).toMatchObject({
    errors: { to: expect.stringMatching(/at least 1 second after/) },
  });
  await db.execute(sql`UPDATE media SET duration_seconds = 600 WHERE id = ${id}`);
  expect(await saveTrailer(HOST, id, { from: 1, to: 61.5 }, NONE)).toMatchObject({
    errors: { to: expect.stringMatching(/60 seconds/) },
  });
  expect(await saveTrailer(HOST, set.id, RANGE, NONE)).toMatchObject({
    errors: { form: expect.stringMatching(/Only a video/) },
  });
  expect(await saveTrailer(HOST, id, RANGE, NONE)).toMatchObject({ saved: true });
  expect(await saveTrailer(HOST, id, { from: 0, to: 5 }, NONE)).toMatchObject({
    saved: false,
    conflict: { stored: RANGE },
  });
});

test("nobody without the right makes or removes a trailer", async () => {
  const { id } = await createVideo({ withFiles: true, durationSeconds: 600 });
  expect(await saveTrailer(BYSTANDER, id, RANGE, NONE)).toMatchObject({
    errors: { form: expect.stringMatching(/role/) },
  });
  await saveTrailer(HOST, id, RANGE, NONE);
  expect(await saveTrailer(BYSTANDER, id, null, OPENED)).toMatchObject({
    errors: { form: expect.stringMatching(/role/) },
  });
  expect(await findTrailer(id)).not.toBeNull();
});
