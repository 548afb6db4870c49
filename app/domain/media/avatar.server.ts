import { createHash } from "node:crypto";
import { runPictureProgram } from "./picture-program.server.ts";
import { deleteStoredFolder, everyStorage, mediaStorage } from "./storage/media-storage.server.ts";
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
  if (name === "") return null;
  for (const storage of everyStorage) {
    const data = await storage.read(key);
    if (data !== null) return `data:image/webp;base64,${data.toString("base64")}`;
  }
  return null;
}

export async function deleteOlderAvatars(userId: string, version: string): Promise<void> {
  for (const storage of everyStorage) await storage.deleteOthers(avatarFolder(userId), `${version}.webp`);
}

export async function deleteAvatars(userId: string): Promise<void> {
  await deleteStoredFolder(avatarFolder(userId));
}
