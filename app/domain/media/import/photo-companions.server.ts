import { probeVideo } from "../video/probe.server.ts";
import { isSameName, stemOf } from "./file-kinds.server.ts";

/** Apple's clips last three seconds: https://support.apple.com/en-us/104966 */
const MAX_CLIP_SECONDS = 5;

/** IMG_1.MOV belongs to IMG_1.JPG, and so do IMG_1_HEVC.MOV and IMG_1.JPG.MOV; PXL_1.MP belongs to PXL_1.MP.jpg. */
export function photoBeside(name: string, pictures: string[]): string | undefined {
  const own = [stemOf(name).replace(/_hevc$/i, ""), name].map((each) => each.toLowerCase());
  return pictures.find((picture) => {
    const names = [stemOf(picture), picture].map((each) => each.toLowerCase());
    return own.some((each) => names.some((other) => isSameName(each, other)));
  });
}

/** Phones may take a short clip with each photo. */
export async function isPhotoClip(path: string): Promise<boolean> {
  const probed = await probeVideo(path).catch(() => null);
  return probed?.durationSeconds != null && probed.durationSeconds <= MAX_CLIP_SECONDS;
}
