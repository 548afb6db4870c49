import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { changeState } from "../states/transitions.server.ts";
import { deleteFilesOf } from "./delete-files.server.ts";

const isStored = async (id: string) => (await mediaStorage.list(`media/${id}`)).length > 0;
const count = async (table: string, id: string) => {
  const column = table === "media" ? "id" : "media_id";
  const rows = await db.execute(sql.raw(`SELECT FROM ${table} WHERE ${column} = '${id}'`));
  return rows.length;
};
const jobsFor = async (id: string) => {
  const rows = await db.execute(
    sql`SELECT FROM graphile_worker._private_jobs WHERE payload ->> 'mediaId' = ${id}`,
  );
  return rows.length;
};

test("a draft that was never public goes with its row and its files", async () => {
  const { id } = await createPhotoSet({ status: "draft", withFiles: true });
  expect(await changeState(HOST, id, "delete")).toEqual({ done: true, state: "deleted" });
  expect(await jobsFor(id)).toBe(1);
  expect([await count("media_files", id), await isStored(id)]).toEqual([0, true]);
  await deleteFilesOf(id);
  expect([await count("media", id), await isStored(id)]).toEqual([0, false]);
  await deleteFilesOf(id);
});

test("an item that was public can be deleted thirty days after its takedown; its files go, and its row stays", async () => {
  const { id } = await createVideo({ withFiles: true });
  await changeState(HOST, id, "takeDown", { reason: "A complaint" });
  expect(await changeState(HOST, id, "delete")).toEqual({
    done: false,
    problem: expect.stringMatching(
      /^You can delete this item from \w+, \d+ \w+ \d{4}, \d\d:\d\d \(UTC\), 30 days after it was taken down\.$/,
    ),
  });
  // The job of another item, or one that comes twice, removes nothing here.
  await deleteFilesOf(id);
  expect(await isStored(id)).toBe(true);
  await db.execute(sql`UPDATE media SET taken_down_at = now() - interval '30 days' WHERE id = ${id}`);
  expect(await changeState(HOST, id, "delete")).toEqual({ done: true, state: "deleted" });
  await deleteFilesOf(id);
  expect([await count("media", id), await count("media_files", id), await isStored(id)]).toEqual([
    1,
    0,
    false,
  ]);
});

test("a draft that was public once is not deleted without a takedown", async () => {
  const { id } = await createVideo();
  await db.execute(sql`UPDATE media SET status = 'draft' WHERE id = ${id}`);
  expect(await changeState(HOST, id, "delete")).toEqual({
    done: false,
    problem: "This item was public once. Take it down first. You can delete it 30 days later.",
  });
});
