import { z } from "zod";
import type { MadePortrait } from "./make-portrait.server.ts";
import { runPictureProgram } from "./picture-program.server.ts";
import { type CreatorFileRow, storeCreatorFile } from "./store-file.server.ts";

export interface StoredPortrait {
  files: CreatorFileRow[];
  color: string;
}

/** A photo of 20 megapixels is unpacked twice, which takes six seconds, and encoded four times, which takes three. */
const CPU_SECONDS = 30;

/** In characters, several times what the largest portrait needs. */
const MAX_NAME = 100;
const MAX_DATA = 4_000_000;

const made = z.object({
  color: z.string().max(MAX_NAME, { abort: true }),
  images: z.array(
    z.object({
      name: z.string().max(MAX_NAME, { abort: true }),
      contentType: z.string().max(MAX_NAME, { abort: true }),
      width: z.number(),
      height: z.number(),
      data: z.string().max(MAX_DATA, { abort: true }),
    }),
  ),
});

/** An uploaded picture. Throws as runPictureProgram() does, before anything is written. */
export async function storeUploadedPortrait(
  bytes: Uint8Array,
  owner: { creatorId: string; version: string },
): Promise<StoredPortrait> {
  const output = await runPictureProgram("make-portrait", bytes, { cpuSeconds: CPU_SECONDS });
  const { color, images } = made.parse(JSON.parse(output.toString("utf8")));
  const decoded = images.map(({ data, ...facts }) => ({ ...facts, data: Buffer.from(data, "base64") }));
  return storeMadePortrait({ color, images: decoded }, owner);
}

export async function storeMadePortrait(
  { color, images }: MadePortrait,
  { creatorId, version }: { creatorId: string; version: string },
): Promise<StoredPortrait> {
  const files: CreatorFileRow[] = [];
  for (const { data, ...facts } of images) {
    files.push(await storeCreatorFile(data, { creatorId, ...facts }, version));
  }
  return { files, color };
}
