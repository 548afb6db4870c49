import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import type { Library } from "./rows.ts";

/** One item of each kind, with files. */
export async function createLibrary(): Promise<Library> {
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
