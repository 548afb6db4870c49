import type { MadePicture } from "./made-picture.ts";
import { readMade, runPictureProgram } from "./picture-program.server.ts";
import { type CreatorFileRow, storeCreatorFile } from "./store-file.server.ts";

export interface StoredPortrait {
  files: CreatorFileRow[];
  color: string;
}

/** A photo of 20 megapixels is unpacked twice, which takes six seconds, and encoded four times, which takes three. */
const CPU_SECONDS = 30;

/** An uploaded picture. Throws as runPictureProgram() does, before anything is written. */
export async function storeUploadedPortrait(
  bytes: Uint8Array,
  owner: { creatorId: string; version: string },
): Promise<StoredPortrait> {
  const output = await runPictureProgram("portrait", bytes, { cpuSeconds: CPU_SECONDS });
  return storeMadePortrait(readMade(output), owner);
}

export async function storeMadePortrait(
  { color, images }: MadePicture,
  { creatorId, version }: { creatorId: string; version: string },
): Promise<StoredPortrait> {
  const files: CreatorFileRow[] = [];
  for (const { data, ...facts } of images) {
    files.push(await storeCreatorFile(data, { creatorId, ...facts }, version));
  }
  return { files, color };
}
