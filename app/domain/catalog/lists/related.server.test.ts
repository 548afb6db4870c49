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
