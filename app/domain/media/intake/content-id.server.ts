import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** sha256 (hex) of a file's bytes. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest("hex");
}

/** One hash for a folder: the same pictures in any order and under any names are the same set. */
export function combineHashes(hashes: string[]): string {
  return createHash("sha256")
    .update([...hashes].sort().join("\n"))
    .digest("hex");
}

/**
 * The id that this content always gets. A second try after a crash then writes over the files of the first
 * instead of leaving them behind.
 */
export function mediaIdOf(contentHash: string): string {
  const bytes = Buffer.from(contentHash, "hex").subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
