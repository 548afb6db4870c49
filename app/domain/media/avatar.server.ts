import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { runPictureProgram } from "./picture-program.server.ts";
import {
  deleteStoredFolder,
  everyStorage,
  findStored,
  mediaStorage,
  storageOf,
} from "./storage/media-storage.server.ts";
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
  const found = name === "" ? null : await findStored(key);
  if (found === null) return null;
  const bytes = await buffer(await storageOf(found.storage).open(key));
  return `data:image/webp;base64,${bytes.toString("base64")}`;
}

export async function deleteOlderAvatars(userId: string, version: string): Promise<void> {
  for (const storage of everyStorage) await storage.deleteOthers(avatarFolder(userId), `${version}.webp`);
}

export async function deleteAvatars(userId: string): Promise<void> {
  await deleteStoredFolder(avatarFolder(userId));
}
