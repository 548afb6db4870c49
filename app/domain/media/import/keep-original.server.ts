import { basename } from "node:path";
import { config } from "#app/config.server.ts";
import type { OriginalProbe } from "#db/schema/catalog-files.ts";
import { mediaStorage } from "../storage/media-storage.server.ts";
import type { StoragePlace } from "../storage/storage.ts";
import { originalKey } from "../store-file.server.ts";
import { ImportRefusal, readSource } from "./refusal.ts";

export interface OriginalRow {
  mediaId: string;
  photoNumber: number | null;
  storageKey: string;
  storage: StoragePlace;
  bytes: number;
  sha256: string;
  fileName: string;
  probe: OriginalProbe;
}

interface Source {
  path: string;
  label: string;
  sha256: string;
}

/** Returns no row when the host keeps no originals, unless the worker needs this one. Throws an ImportRefusal. */
export async function keepOriginal(
  { path, label, sha256 }: Source,
  facts: Pick<OriginalRow, "mediaId" | "photoNumber" | "probe">,
  { isNeededLater = false } = {},
): Promise<OriginalRow[]> {
  if (!config.media.keepsOriginals && !isNeededLater) return [];
  const storageKey = originalKey(facts.mediaId, facts.photoNumber);
  const stored = await readSource(label, () => mediaStorage.put(storageKey, { path }));
  if (stored.sha256 !== sha256) throw new ImportRefusal(label, "it changed during the import; try again");
  return [{ ...facts, storageKey, fileName: basename(path), ...stored }];
}
