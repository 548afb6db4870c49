import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { changeEncoding } from "#app/domain/catalog/encoding/change-encoding.server.ts";
import { db } from "#db/client.server.ts";
import { createEncoded, createOriginal, createVideo, HOST } from "#tests/support/media.ts";
import { queueRemake } from "./queue-remake.server.ts";
import { remakeMedia } from "./remake.server.ts";

const MORE = "no original is kept, and it has sizes or audio tracks that its MP4s lack";
const signal = new AbortController().signal;

const stepsOf = (mediaId: string) => db.execute(sql`SELECT FROM media_work WHERE media_id = ${mediaId}`);
const entriesOf = (mediaId: string) =>
  db.execute(sql`SELECT action, after FROM audit_log WHERE subject_id = ${mediaId} ORDER BY id`);

/** One size, 360p, and two audio tracks. */
async function createWithAudioTracks(): Promise<string> {
  const { id } = await createVideo({ withFiles: true });
  await createEncoded(id);
  return id;
}

async function dropAudioTracks(mediaId: string): Promise<void> {
  await db.execute(sql`DELETE FROM media_files WHERE media_id = ${mediaId} AND name LIKE 'rung-sound-%'`);
}

test.each(["two audio tracks", "1440p"])(
  "without its original, a video with %s is refused, also in the studio, and skipped by a run of all",
  async (more) => {
    const id = await createWithAudioTracks();
    if (more === "1440p") {
      await dropAudioTracks(id);
      await db.execute(sql`UPDATE media_files SET width = 2560, height = 1440
      WHERE media_id = ${id} AND name LIKE 'rung-%'`);
    }
    await expect(queueRemake(id, "video")).rejects.toThrow(MORE);
    const wanted = { only: ["video", "cover"], isDryRun: true, signal } as const;
    await expect(remakeMedia(id, wanted)).rejects.toThrow(MORE);
    expect(await remakeMedia(id, { ...wanted, leavesRefused: true })).toMatchObject({
      parts: ["cover"],
      left: { parts: ["video"], because: "losesFiles" },
    });
    expect(await changeEncoding(HOST, id, "again")).toMatch(/^The original of this video was not kept/);
    expect([await stepsOf(id), await entriesOf(id)]).toEqual([[], []]);

    await createOriginal(id, Buffer.from("an original"));
    expect(await queueRemake(id, "video")).toBe("queued");
    expect(await entriesOf(id)).toEqual([{ action: "encoding.queued", after: { part: "video" } }]);
  },
);

test("a video whose MP4s have everything is queued without an original", async () => {
  const id = await createWithAudioTracks();
  await dropAudioTracks(id);
  // A copied MP4 may have an odd side, and a size of the ladder has none.
  await db.execute(sql`UPDATE media_files SET height = 359 WHERE media_id = ${id} AND name LIKE 'video-%'`);
  expect(await queueRemake(id, "video")).toBe("queued");
});

test("a trailer that has been removed is not queued, and leaves no entry", async () => {
  const { id } = await createVideo({ withFiles: true });
  await expect(queueRemake(id, "trailer")).rejects.toThrow("its trailer has been removed");
  expect([await stepsOf(id), await entriesOf(id)]).toEqual([[], []]);
});

test("a taken-down video is refused, also in a dry run, and skipped by a run of all", async () => {
  const { id } = await createVideo({ status: "takenDown" });
  const wanted = { only: ["video", "cover"], isDryRun: true, signal } as const;
  await expect(remakeMedia(id, wanted)).rejects.toThrow("it is taken down: bring it back first");
  expect(await remakeMedia(id, { ...wanted, leavesRefused: true })).toMatchObject({
    parts: ["cover"],
    left: { parts: ["video"], because: "takenDown" },
  });
});
