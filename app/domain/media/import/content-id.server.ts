import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest("hex");
}

export function combineHashes(hashes: string[]): string {
  return sha256([...hashes].sort().join("\n"));
}

/** From the content, so that a retry after a crash overwrites the first files. */
export function mediaIdOf(contentHash: string): string {
  return idOf(contentHash);
}

/** From the content, so that a sidecar finds a renamed picture. Equal pictures are numbered. */
export function photoIdsOf(mediaId: string, hashes: string[]): string[] {
  const times = new Map<string, number>();
  return hashes.map((hash) => {
    const nth = times.get(hash) ?? 0;
    times.set(hash, nth + 1);
    return idOf(sha256(`photo ${mediaId} ${hash} ${nth}`));
  });
}

/** The same name is the same shoot, in upper or lower case and in every import. */
export function shootIdOf(name: string): string {
  return idOf(sha256(`shoot ${name.toLowerCase()}`));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function idOf(hash: string): string {
  const bytes = Buffer.from(hash, "hex").subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
