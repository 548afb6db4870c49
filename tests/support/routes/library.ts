import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import type { Library } from "./rows.ts";

/** One item of each kind, with files, and an owner, without whom the last of the callers could not leave. */
export async function createLibrary(): Promise<Library> {
  await createMember({ role: "owner" });
  const creator = await createCreator({ withFiles: true });
  const common = { creators: [creator.id], withFiles: true };
  return {
    free: await createVideo({ ...common, access: "free" }),
    memberOnly: await createVideo({ ...common, access: "member" }),
    gated: await createVideo({ ...common, access: "subscriber" }),
    set: await createPhotoSet({ ...common, access: "subscriber", photos: 3, previews: 1 }),
    creatorSlug: creator.slug,
    creatorId: creator.id,
  };
}
