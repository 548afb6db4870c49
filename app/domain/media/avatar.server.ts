import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { mediaStorage } from "./storage/media-storage.server.ts";

const AVATAR_SIZE = 256;

/** Returns the version for paths.avatar(). Throws a PictureError whose message can be shown. */
export async function storeAvatar(userId: string, bytes: Uint8Array): Promise<string> {
  // The codecs take a fifth of a second to load: no start of the site waits for them.
  const { cropPixels, encode, openPicture } = await import("./picture.server.ts");
  const { pixels } = await openPicture(bytes);
  const { data } = await encode(await cropPixels(pixels, AVATAR_SIZE, AVATAR_SIZE), AVATAR_SIZE, "webp");
  const version = createHash("sha256").update(data).digest("hex").slice(0, 32);
  await mediaStorage.put(`avatars/${userId}/${version}.webp`, data);
  return version;
}

/** As a data URL, for a copy that outlives the account; null when `url` is of none of this user's pictures. */
export async function readAvatar(userId: string, url: string | null): Promise<string | null> {
  const name = url?.split("/").at(-1) ?? "";
  const key = `avatars/${userId}/${name}`;
  if (name === "" || (await mediaStorage.head(key)) === null) return null;
  return `data:image/webp;base64,${(await buffer(await mediaStorage.open(key))).toString("base64")}`;
}

/** Once `version` is the one that is shown. */
export async function deleteOlderAvatars(userId: string, version: string): Promise<void> {
  await mediaStorage.deleteOthers(`avatars/${userId}`, `${version}.webp`);
}

/** All versions: for "Remove picture" and for a deleted account. */
export async function deleteAvatars(userId: string): Promise<void> {
  await mediaStorage.deleteFolder(`avatars/${userId}`);
}
