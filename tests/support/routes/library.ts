import { db } from "#db/client.server.ts";
import { tags } from "#db/schema/catalog.ts";
import { bulkChangeItems, bulkChanges } from "#db/schema/catalog-changes.ts";
import {
  createCreator,
  createEncoded,
  createOriginal,
  createPhotoSet,
  createVideo,
  type TestMedia,
} from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import type { Library } from "./rows.ts";

/** One item of each kind, with files, a change of many items, and an owner, without whom the last of the callers could not leave. */
export async function createLibrary(): Promise<Library> {
  await createMember({ role: "owner" });
  const creator = await createCreator({ name: "Known", withFiles: true });
  const common = { creators: [creator.id], withFiles: true };
  const changing = await createVideo({ ...common, status: "draft" });
  const gated = await createVideo({ ...common, access: "subscriber" });
  await createOriginal(gated.id, Buffer.from("as it was imported"));
  const free = await createVideo({ ...common, access: "free" });
  const draft = await createVideo({ ...common, status: "draft" });
  for (const { id } of [gated, free, draft]) await createEncoded(id);
  return {
    free,
    memberOnly: await createVideo({ ...common, access: "member" }),
    gated,
    set: await createPhotoSet({
      ...common,
      access: "subscriber",
      photos: 3,
      previews: 1,
      allowDownload: true,
    }),
    draft,
    changing,
    bulkChange: await createBulkChange(changing),
    creatorSlug: creator.slug,
    creatorId: creator.id,
    tagId: await createTag(),
  };
}

async function createTag(): Promise<string> {
  const [tag] = await db.insert(tags).values({ name: "Known", slug: "known" }).returning({ id: tags.id });
  if (!tag) throw new Error("The tag was not stored");
  return tag.id;
}

async function createBulkChange({ id: mediaId, title }: TestMedia): Promise<string> {
  const change = { kind: "access", access: "subscriber" };
  const [row] = await db
    .insert(bulkChanges)
    .values({ actor: "a test", actorRole: "owner", change })
    .returning({ id: bulkChanges.id });
  if (!row) throw new Error("The change was not stored");
  await db
    .insert(bulkChangeItems)
    .values({ bulkChangeId: row.id, position: 1, mediaId, title, doneAt: new Date() });
  return row.id;
}
