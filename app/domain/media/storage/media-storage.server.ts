import { config } from "#app/config.server.ts";
import { readChecksums } from "./checksums.server.ts";
import { localStorage } from "./local.server.ts";
import type { MediaStorage, StorageEntry } from "./storage.ts";

export const mediaStorage: MediaStorage = localStorage(config.media.dir);

/** Listing a large folder reads it whole each time. */
const ENTRIES_AT_ONCE = 10_000;

export async function* entriesIn(folder: string): AsyncGenerator<StorageEntry> {
  for (let after = ""; ; ) {
    const entries = await mediaStorage.list(folder, { limit: ENTRIES_AT_ONCE, after });
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined || entries.length < ENTRIES_AT_ONCE) return;
    after = last.name;
  }
}

export async function* keysBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, bytes } of entriesIn(folder)) {
    if (bytes === null) yield* keysBelow(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

export async function hashOf(storageKey: string): Promise<string> {
  return (await readChecksums(await mediaStorage.open(storageKey))).sha256;
}
