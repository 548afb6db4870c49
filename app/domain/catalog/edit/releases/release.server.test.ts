import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, uuids } from "#db/client.server.ts";
import { createCreator, createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { lockItems } from "../item/items.server.ts";
import { findProblems } from "../item/problems.server.ts";
import { changeState, publishDueMedia } from "../states/transitions.server.ts";
import { dropExpiredMedia, releaseDueMedia } from "./release.server.ts";

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

test("an item that cannot be published stops no other, says why, and is published once it is mended", async () => {
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
  const [found] = await db.execute(sql`
    SELECT FROM media_terms WHERE media_id = ${broken.id} AND term = list_term('word broken')`);
  expect(found).toBeDefined();
  await changeState(HOST, empty.id, "makeDraft");
  expect(await stateOf(empty.id)).toEqual({ status: "draft", publish_problem: null });
  expect(await releaseDueMedia()).toEqual({ released: 0, failed: [] });
});

test("an item whose plan was changed a moment before stays as it is", async () => {
  const { id } = await createVideo(due());
  await changeState(HOST, id, "makeDraft");
  expect(await publishDueMedia(HOST, id)).toBeNull();
  const later = await createVideo({ status: "scheduled", publishAt: new Date(Date.now() + 3_600_000) });
  expect(await publishDueMedia(HOST, later.id)).toBeNull();
  expect((await stateOf(id))?.status).toBe("draft");
});

/** An item that has expired by the clock, and is still in the lists. */
async function createExpired(creatorId: string): Promise<string> {
  const { id } = await createVideo({ creators: [creatorId], expireAt: new Date(Date.now() + 3_600_000) });
  await db.execute(sql`ALTER TABLE media DISABLE TRIGGER USER`);
  await db.execute(sql`UPDATE media SET expire_at = now() - interval '1 s' WHERE id = ${id}`);
  await db.execute(sql`ALTER TABLE media ENABLE TRIGGER USER`);
  await db.execute(sql`UPDATE media_terms SET expire_at = now() - interval '1 s' WHERE media_id = ${id}`);
  return id;
}

test("media that has expired leaves the lists and the counts", async () => {
  const ann = await createCreator();
  await createExpired(ann.id);
  await dropExpiredMedia();
  const [creator] = await db.execute(sql`SELECT video_count FROM creators WHERE id = ${ann.id}`);
  expect(creator).toEqual({ video_count: 0 });
});

test("an item that has expired is dropped beside a save of it, and neither waits for the other in a circle", async () => {
  const id = await createExpired((await createCreator()).id);
  const isWaited = async () => {
    const waiting = await db.execute(sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    return waiting.length > 0;
  };
  const { dropping } = await db.transaction(async (tx) => {
    await lockItems(tx, [id]);
    const dropping = dropExpiredMedia();
    await expect.poll(isWaited).toBe(true);
    // A trigger does this at each save.
    await tx.execute(sql`SELECT refresh_media_terms(${uuids([id])})`);
    return { dropping };
  });
  await dropping;
  expect(await db.execute(sql`SELECT FROM media_terms WHERE media_id = ${id}`)).toHaveLength(0);
});
