import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { bulkhead } from "cockatiel";
import { runLimited } from "./limited-program.server.ts";
import { mediaStorage } from "./storage/media-storage.server.ts";

/** The message can be shown. Not a PictureError, whose file would load the decoder into the web processes. */
export class AvatarError extends Error {}

/** Returns the version for paths.avatar(). Throws an AvatarError. */
export async function storeAvatar(userId: string, bytes: Uint8Array): Promise<string> {
  const data = await runAvatarProgram(bytes);
  const version = createHash("sha256").update(data).digest("hex").slice(0, 32);
  await mediaStorage.put(`avatars/${userId}/${version}.webp`, data);
  return version;
}

/** A data URL, for an export that outlives the account; null when `url` is none of this user's pictures. */
export async function readAvatar(userId: string, url: string | null): Promise<string | null> {
  const name = url?.split("/").at(-1) ?? "";
  const key = `avatars/${userId}/${name}`;
  if (name === "" || (await mediaStorage.head(key)) === null) return null;
  return `data:image/webp;base64,${(await buffer(await mediaStorage.open(key))).toString("base64")}`;
}

export async function deleteOlderAvatars(userId: string, version: string): Promise<void> {
  await mediaStorage.deleteOthers(`avatars/${userId}`, `${version}.webp`);
}

export async function deleteAvatars(userId: string): Promise<void> {
  await mediaStorage.deleteFolder(`avatars/${userId}`);
}

const LIMITS = {
  /** An AVIF picture of nine megapixels takes 218 MB, the most of those tried. */
  memoryKb: 350 * 1024,
  /** A print photo of 20 megapixels takes the longest, about three seconds. */
  cpuSeconds: 15,
  timeoutMs: 60_000,
};
const MAX_WAITING = 10;
const REFUSED = 2;
const SOURCE = ["scripts/resize-avatar.ts"];
const BUILT = ["build/scripts/resize-avatar.js"];

const decoding = bulkhead(1, MAX_WAITING);

/** Throws an AvatarError, and cockatiel's BulkheadRejectedError when too many wait. */
function runAvatarProgram(bytes: Uint8Array): Promise<Buffer> {
  return decoding.execute(() => run(bytes));
}

async function run(bytes: Uint8Array): Promise<Buffer> {
  // Read here, since the worker imports this module without Vite.
  const program = import.meta.env.DEV ? SOURCE : BUILT;
  const { status, output, said } = await runLimited(program, bytes, LIMITS);
  if (status === 0) return output;
  throw new AvatarError(status === REFUSED ? said : "the picture could not be unpacked");
}
