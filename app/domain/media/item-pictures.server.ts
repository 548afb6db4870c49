import type { MediaType } from "#app/paths.ts";
import type { MadePhoto, MadePicture } from "./made-picture.ts";
import { readMade, readMadePhoto, runPictureProgram } from "./picture-program.server.ts";

// Each function throws like runPictureProgram().

/** Twice what a photo of 64 megapixels needs. */
export const ITEM_PICTURE_LIMITS = { memoryKb: 900 * 1024, cpuSeconds: 60, timeoutMs: 60_000 };

export async function makeItemCover(input: string | Uint8Array, type: MediaType): Promise<MadePicture> {
  return readMade(await run("cover", input, type));
}

export async function makeItemPhoto(path: string, number: number): Promise<MadePhoto> {
  return readMadePhoto(await run("photo", path, String(number)));
}

function run(kind: "photo" | "cover", input: string | Uint8Array, option: string): Promise<Buffer> {
  const [bytes, path] = typeof input === "string" ? [new Uint8Array(), input] : [input, "-"];
  return runPictureProgram(kind, bytes, { options: [option, path], ...ITEM_PICTURE_LIMITS });
}
