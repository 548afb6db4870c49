import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { runPictureProgram } from "./picture-program.server.ts";
import { mediaStorage } from "./storage/media-storage.server.ts";
import { avatarFolder } from "./store-file.server.ts";

/** Returns the version in its address. Throws like runPictureProgram(). */
export async function storeAvatar(userId: string, bytes: Uint8Array): Promise<string> {
  const data = await runPictureProgram("avatar", bytes);
  const version = createHash("sha256").update(data).digest("hex").slice(0, 32);
  await mediaStorage.put(`${avatarFolder(userId)}/${version}.webp`, data);
  return version;
}

export async function readAvatar(userId: string, url: string | null): Promise<string | null> {
  const name = url?.split("/").at(-1) ?? "";
  const key = `${avatarFolder(userId)}/${name}`;
  if (name === "" || (await mediaStorage.head(key)) === null) return null;
  return `data:image/webp;base64,${(await buffer(await mediaStorage.open(key))).toString("base64")}`;
}

export async function deleteOlderAvatars(userId: string, version: string): Promise<void> {
  await mediaStorage.deleteOthers(avatarFolder(userId), `${version}.webp`);
}

export async function deleteAvatars(userId: string): Promise<void> {
  await mediaStorage.deleteFolder(avatarFolder(userId));
}
