import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";

export interface Checksums {
  /** Hex. */
  sha256: string;
  /** 0 to 2^32-1. */
  crc32: number;
}

export async function readChecksums(stream: Readable): Promise<Checksums> {
  const hash = createHash("sha256");
  let sum = 0;
  for await (const part of stream) {
    hash.update(part);
    sum = crc32(part, sum);
  }
  return { sha256: hash.digest("hex"), crc32: sum };
}
