import type { MadePicture } from "./made-picture.ts";
import { readMade, runPictureProgram } from "./picture-program.server.ts";
import { type CreatorFileRow, storeCreatorFile } from "./store-file.server.ts";

export interface StoredPortrait {
  files: CreatorFileRow[];
  color: string;
}

/** A photo of 20 megapixels takes six seconds to unpack twice and three to encode four times. */
const CPU_SECONDS = 30;

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
