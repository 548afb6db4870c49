import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createCreator, createEncoded, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import { findRelated } from "./related.server.ts";

const VISITOR = { isAdult: true, user: null, subscription: null };
const MANY_SETS = 70;

test("a creator of many sets still has related videos, their own before those with the same tag", async () => {
  const ann = await createCreator({ name: "Ann" });
  const { id: setId } = await createPhotoSet({ title: "Set", creators: [ann.id], photos: 1 });
  await db.execute(sql`INSERT INTO media (type, short_id, slug, title, publish_at, status, access, photo_count)
    SELECT type, 'set' || n, 'set-' || n, title, publish_at, status, access, photo_count
    FROM media, generate_series(1, ${MANY_SETS}) n WHERE media.id = ${setId}`);
  await db.execute(sql`INSERT INTO media_creators (media_id, creator_id)
    SELECT id, ${ann.id} FROM media WHERE short_id LIKE 'set%'`);
  const tagged = await createVideo({ title: "Tagged", tags: ["Dusk"] });
  const own = await createVideo({ title: "Own", creators: [ann.id] });
  await createVideo({ title: "Draft", creators: [ann.id], status: "draft" });
  await createVideo({ title: "Unrelated" });
  const video = await createVideo({ title: "Film", creators: [ann.id], tags: ["Dusk"] });

  const { related } = await findRelated(VISITOR, "video", video.slug);
  expect(related.map(({ id }) => id)).toEqual([own.id, tagged.id]);
});

test("a related video that is hidden is missing from the next page, although candidates are cached", async () => {
  const member = { ...VISITOR, user: { ...(await createMember()), role: "member" as const } };
  const hidden = await createVideo({ tags: ["Remembered"] });
  const shown = await createVideo({ tags: ["Remembered"] });
  const { slug } = await createVideo({ tags: ["Remembered"] });
  const idsOfRelated = async () => (await findRelated(member, "video", slug)).related.map(({ id }) => id);
  expect((await idsOfRelated()).toSorted()).toEqual([hidden.id, shown.id].toSorted());
  await db.execute(sql`UPDATE media SET status = 'hidden' WHERE id = ${hidden.id}`);
  expect(await idsOfRelated()).toEqual([shown.id]);
});

test("a card shows moments of its video to those who may view it, of its trailer to others, and none without files", async () => {
  const { slug } = await createVideo({ tags: ["Moving"] });
  const { id } = await createVideo({ access: "member", tags: ["Moving"] });
  const preview = async (viewer: Parameters<typeof findRelated>[0]) =>
    (await findRelated(viewer, "video", slug)).related.find((card) => card.id === id)?.preview;
  const member = { ...VISITOR, user: { ...(await createMember()), role: "member" as const } };
  expect(await preview(member)).toBeNull();
  await createEncoded(id);
  expect(await preview(member)).toMatch(/\/hover\.mp4$/);
  expect(await preview(VISITOR)).toMatch(/\/trailer-hover\.mp4$/);
});

const shoot = async (access: "free" | "member", count: number, creator: { id: string }) => {
  const shootId = randomUUID();
  const videos = [];
  for (let day = 1; day <= count; day += 1) {
    const publishAt = new Date(Date.UTC(2026, 0, day));
    videos.push(
      await createVideo({ title: `Part ${day}`, access, shootId, publishAt, creators: [creator.id] }),
    );
  }
  for (let set = 0; set < 4; set += 1) {
    await createPhotoSet({ title: `Set ${set}`, access, shootId, photos: 1 });
  }
  return videos;
};
const nextOf = async (viewer: Parameters<typeof findRelated>[0], slug: string) =>
  (await findRelated(viewer, "video", slug)).next;

test("for a member the next video is an unseen one of the shoot, then one by the same creator, then none", async () => {
  const user = { ...(await createMember()), role: "member" as const };
  const creator = await createCreator();
  const alike = await createVideo({ access: "member", creators: [creator.id] });
  const parts = await shoot("member", 6, creator);
  const seen: string[] = [];
  let slug = parts[2]?.slug ?? "";
  for (let next = await watch(slug); next !== null; next = await watch(slug)) {
    seen.push(next.title);
    slug = next.slug;
  }
  expect(seen).toEqual(["Part 4", "Part 5", "Part 6", "Part 1", "Part 2", alike.title]);

  async function watch(own: string) {
    await db.execute(sql`INSERT INTO views (user_id, media_id, progress, completed_at)
      SELECT ${user.id}, id, 1, now() FROM media WHERE slug = ${own}`);
    return nextOf({ ...VISITOR, user }, own);
  }
});

test("for a visitor the next videos run to the end of the shoot, skip what is locked, and never lead back", async () => {
  const creator = await createCreator();
  const parts = await shoot("free", 3, creator);
  await db.execute(sql`UPDATE media SET access = 'member' WHERE id = ${parts[1]?.id}`);
  const later = await createVideo({
    access: "free",
    creators: [creator.id],
    publishAt: new Date(Date.UTC(2026, 0, 9)),
  });
  const titles: (string | undefined)[] = [];
  let slug = parts[0]?.slug;
  while (slug !== undefined) {
    const next = await nextOf(VISITOR, slug);
    titles.push(next?.title);
    slug = next?.slug;
  }
  expect(titles).toEqual(["Part 3", later.title, undefined]);
});
