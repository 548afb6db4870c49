import { z } from "zod";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { hashOf } from "#app/domain/media/storage/walk.server.ts";
import { readArchive, readAs } from "./archive.server.ts";
import { fileSchema } from "./contents.ts";

/** The keys of the files that a backup lists, and that are not stored as they were. */
export async function findAbsentFiles(path: string, onDone: (bytes: number) => void): Promise<string[]> {
  const absent: string[] = [];
  let done = 0;
  for await (const entry of readArchive(path)) {
    if (!entry.name.startsWith("files/")) {
      entry.content.resume();
      continue;
    }
    for (const { storageKey, bytes, sha256 } of await readAs(z.array(fileSchema), entry)) {
      const stored = await mediaStorage.head(storageKey);
      if (stored?.bytes !== bytes || (await hashOf(storageKey)) !== sha256) absent.push(storageKey);
      done += bytes;
      onDone(done);
    }
  }
  return absent;
}
