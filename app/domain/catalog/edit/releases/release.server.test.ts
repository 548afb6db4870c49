import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createCreator, createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { parseFilters } from "../../lists/list-filters.ts";
import { listMedia } from "../../lists/list-media.server.ts";
import { findProblems } from "../problems/problems.server.ts";
import { changeState, publishDueMedia } from "../states/transitions.server.ts";
import { countExpiredMedia, releaseDueMedia } from "./release.server.ts";

const due = () => ({ status: "scheduled" as const, publishAt: new Date(Date.now() - 1000) });

const stateOf = async (id: string) => {
  const [row] = await db.execute<{ status: string; publish_problem: string | null }>(
    sql`SELECT status, publish_problem FROM media WHERE id = ${id}`,
  );
  return row;
};

test("due items are published and counted, and others wait", async () => {
  const ann = await createCreator();
  const { id } = await createVideo({ ...due(), creators: [ann.id] });
  const later = await createVideo({ status: "scheduled", publishAt: new Date(Date.now() + 3_600_000) });
  expect(await releaseDueMedia()).toEqual({ released: 1, failed: [] });
  expect((await stateOf(id))?.status).toBe("published");
  expect((await stateOf(later.id))?.status).toBe("scheduled");
  const [creator] = await db.execute(sql`SELECT video_count FROM creators WHERE id = ${ann.id}`);
  expect(creator).toEqual({ video_count: 1 });
  const [entry] = await db.execute(
    sql`SELECT actor_id, actor, action FROM audit_log WHERE subject_id = ${id}`,
  );
  expect(entry).toEqual({ actor_id: null, actor: "release-due-media", action: "media.published" });
});

test("an item that cannot be published says why, does not stop others, and is published once it is fixed", async () => {
  const empty = await createPhotoSet({ ...due(), photos: 0 });
  const broken = await createVideo({ ...due(), title: "Broken" });
  const fine = await createVideo(due());
  await db.execute(
    sql.raw(`CREATE FUNCTION refuse_broken() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'not this one'; END $$`),
  );
  await db.execute(
    sql.raw(`CREATE TRIGGER a_refuse BEFORE UPDATE OF status ON media FOR EACH ROW
    WHEN (NEW.title = 'Broken') EXECUTE FUNCTION refuse_broken()`),
  );
  const { released, failed } = await releaseDueMedia();
  expect([released, failed.map(({ id }) => id).sort()]).toEqual([1, [empty.id, broken.id].sort()]);
  expect((await stateOf(fine.id))?.status).toBe("published");
  expect(await stateOf(empty.id)).toEqual({
    status: "scheduled",
    publish_problem: "This item has no files yet, so it cannot be published.",
  });
  for (const { id } of [empty, broken]) expect(await findProblems(id)).toContain("publishFailed");

  await db.execute(sql.raw("DROP TRIGGER a_refuse ON media"));
  expect((await releaseDueMedia()).released).toBe(1);
  expect(await stateOf(broken.id)).toEqual({ status: "published", publish_problem: null });
  const { rows } = await listMedia("video", parseFilters(new URLSearchParams("q=broken")));
  expect(rows.map(({ id }) => id)).toEqual([broken.id]);
  await changeState(HOST, empty.id, "makeDraft");
  expect(await stateOf(empty.id)).toEqual({ status: "draft", publish_problem: null });
  expect(await releaseDueMedia()).toEqual({ released: 0, failed: [] });
});

test("an item that was rescheduled a moment ago stays as it is", async () => {
  const { id } = await createVideo(due());
  await changeState(HOST, id, "makeDraft");
  expect(await publishDueMedia(HOST, id)).toBeNull();
  const later = await createVideo({ status: "scheduled", publishAt: new Date(Date.now() + 3_600_000) });
  expect(await publishDueMedia(HOST, later.id)).toBeNull();
  expect((await stateOf(id))?.status).toBe("draft");
});

test("media that expires by the clock leaves the lists at once, and the counts with the next run", async () => {
  const ann = await createCreator();
  const { id } = await createVideo({ creators: [ann.id], expireAt: new Date(Date.now() + 1_000) });
  const listed = async () => {
    const { rows } = await listMedia("video", parseFilters(new URLSearchParams({ creator: ann.slug })));
    return rows.map((row) => row.id);
  };
  const counted = async () => {
    await countExpiredMedia();
    const [creator] = await db.execute<{ videos: number }>(
      sql`SELECT video_count AS videos FROM creators WHERE id = ${ann.id}`,
    );
    return creator?.videos;
  };
  expect([await listed(), await counted()]).toEqual([[id], 1]);
  await expect.poll(listed).toEqual([]);
  expect(await counted()).toBe(0);
});
