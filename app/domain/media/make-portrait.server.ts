import type { MadePicture } from "./made-picture.ts";
import { averageColor, cropPixels, encode, type Pixels } from "./picture.server.ts";
import { COVER_WIDTHS, coverHeight, fileNames, IMAGE_FORMATS } from "./renditions.ts";

const LARGEST = Math.max(...COVER_WIDTHS);

/** Every file of a portrait. Reads no settings, so that a program of its own can call it. */
export async function makePortrait(pixels: Pixels): Promise<MadePicture> {
  const cropped = await cropPixels(pixels, LARGEST, coverHeight("portrait", LARGEST));
  const images: MadePicture["images"] = [];
  for (const size of COVER_WIDTHS) {
    for (const format of IMAGE_FORMATS) {
      const image = await encode(cropped, size, format);
      images.push({ name: fileNames.portrait(size, format), contentType: `image/${format}`, ...image });
    }
  }
  return { color: await averageColor(cropped), images };
}
