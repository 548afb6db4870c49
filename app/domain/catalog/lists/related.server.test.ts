import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { createCreator, createEncoded, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import { findRelated, nextVideo } from "./related.server.ts";

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

test("the next video is one of the shoot that its viewer has not seen, then one by the same creator, and none after all", async () => {
  const viewer = { ...VISITOR, user: { ...(await createMember()), role: "member" as const } };
  const creator = await createCreator();
  const alike = await createVideo({ access: "member", creators: [creator.id] });
  const shootId = randomUUID();
  const parts = [];
  for (const title of ["One", "Two", "Three"])
    parts.push(await createVideo({ title, access: "member", shootId, creators: [creator.id] }));
  const seen: string[] = [];
  let slug = parts[0]?.slug ?? "";
  for (let next = await nextOf(slug); next !== null; next = await nextOf(slug)) {
    seen.push(next.title);
    slug = next.slug;
  }
  expect(seen.slice(0, 2).toSorted()).toEqual(["Three", "Two"]);
  expect(seen.slice(2)).toEqual([alike.title]);

  async function nextOf(own: string) {
    await db.execute(sql`INSERT INTO views (user_id, media_id, progress, completed_at)
      SELECT ${viewer.user.id}, id, 1, now() FROM media WHERE slug = ${own}`);
    return nextVideo([creator], await findRelated(viewer, "video", own));
  }
});
