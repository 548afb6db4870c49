import { config } from "#app/config.server.ts";
import { readChecksums } from "./checksums.server.ts";
import { localStorage } from "./local.server.ts";
import type { MediaStorage } from "./storage.ts";

export const mediaStorage: MediaStorage = await connect();

async function connect(): Promise<MediaStorage> {
  const { s3, dir } = config.media;
  if (s3 === null) return localStorage(dir);
  // Its client takes 20 MB of memory and a tenth of a second.
  const { s3Storage } = await import("./s3.server.ts");
  return s3Storage(s3);
}

export async function* keysBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, bytes } of mediaStorage.entries(folder)) {
    if (bytes === null) yield* keysBelow(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

export async function hashOf(storageKey: string): Promise<string> {
  return (await readChecksums(await mediaStorage.open(storageKey))).sha256;
}
