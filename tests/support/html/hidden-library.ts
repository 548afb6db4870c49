import { randomUUID } from "node:crypto";
import type { MediaState } from "#app/domain/catalog/media/media.server.ts";
import { paths } from "#app/paths.ts";
import { dataPath } from "../crawl.ts";
import { createCreator, createPhotoSet, createVideo } from "../media.ts";

const HIDDEN_TITLE = "Unreleased canary";
/** Only hidden items have this creator and tag, and nothing else contains these words. */
const HIDDEN_CREATOR = { name: "Concealed Quartz", aliases: ["Veiled Basalt"], bio: "Shrouded granite" };
const HIDDEN_TAG = "Muffled slate";
const HIDDEN_DESCRIPTION = "Covert obsidian";
export const HIDDEN_TEXTS = [
  HIDDEN_TITLE,
  "unreleased-canary",
  HIDDEN_CREATOR.name,
  "concealed-quartz",
  ...HIDDEN_CREATOR.aliases,
  HIDDEN_CREATOR.bio,
  HIDDEN_TAG,
  "muffled-slate",
  HIDDEN_DESCRIPTION,
];
/** One word of each, because a search page repeats the query and would contain the whole text. */
export const HIDDEN_WORDS = ["canary", "quartz", "basalt", "slate", "obsidian"];

/** Every status and date that hides an item from members. */
const HIDDEN_STATES: (() => { status?: MediaState; publishAt?: Date; expireAt?: Date })[] = [
  () => ({ status: "draft" }),
  () => ({ status: "scheduled" }),
  () => ({ status: "hidden" }),
  () => ({ status: "takenDown" }),
  () => ({ status: "deleted" }),
  () => ({ publishAt: new Date(Date.now() + 3_600_000) }),
  () => ({ expireAt: new Date(Date.now() - 1_000) }),
];

/**
 * Published media of every access, and one item in every hidden state. Returns the hidden items' ids, and the pages of
 * hidden items and of their creator.
 */
export async function fillLibrary(): Promise<{ hiddenIds: string[]; hiddenPaths: string[] }> {
  const hiddenIds: string[] = [];
  const hiddenPaths: string[] = [];
  const creator = await createCreator({ withFiles: true });
  const shootId = randomUUID();
  const common = { creators: [creator.id], tags: ["Silk"], withFiles: true, shootId };
  for (const access of ["free", "member", "subscriber"] as const) {
    await createVideo({ ...common, access });
    await createPhotoSet({ ...common, access, previews: 1, photos: 3 });
  }
  const concealed = await createCreator({ ...HIDDEN_CREATOR, withFiles: true });
  const hidden = {
    creators: [creator.id, concealed.id],
    tags: ["Silk", HIDDEN_TAG],
    withFiles: true,
    access: "free" as const,
    title: HIDDEN_TITLE,
    description: HIDDEN_DESCRIPTION,
    shootId,
    photos: 1,
    previews: 1,
  };
  for (const [index, state] of HIDDEN_STATES.entries()) {
    const create = index % 2 ? createVideo : createPhotoSet;
    const { id, type, slug } = await create({ ...hidden, ...state() });
    const page = paths.media(type, slug);
    hiddenIds.push(id);
    hiddenPaths.push(page, dataPath(page), ...(type === "photoSet" ? [paths.photo(slug, 1)] : []));
  }
  const profile = paths.creator(concealed.slug);
  const narrowed = [`creator=${concealed.slug}`, "tag=muffled-slate"].flatMap((query) =>
    (["video", "photoSet"] as const).map((type) => `${paths.list(type)}?${query}`),
  );
  for (const path of [profile, ...narrowed]) hiddenPaths.push(path, dataPath(path));
  return { hiddenIds, hiddenPaths };
}
