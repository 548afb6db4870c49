import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { COVER_WIDTHS, coverHeight, fileNames, type ImageFormat } from "#app/domain/media/renditions.ts";
import {
  DEMO_DIR,
  type DemoCreator,
  type DemoPhotoSet,
  type LookName,
} from "#demo/seed/read-catalogue.server.ts";
import { composeScene, renderFrame } from "./render.ts";
import { clamp, type Random, seededRandom } from "./scenes/noise.ts";

const GRAIN = 0.022;
const WIDTH = 960;
const DRAWN_PART = 0.65;
const SMALL = 480;
/** The heights of a set's photos, in rotation: mostly upright, as in a magazine. The first is also the cover. */
const HEIGHTS = [1200, 640, 1200, 960, 640, 1200, 1200, 640];

export async function makePortrait({ key, look }: DemoCreator): Promise<void> {
  const pixels = await renderPicture(look, `${key} portrait`, coverHeight("portrait", WIDTH));
  for (const width of COVER_WIDTHS) {
    await write(pixels, width, (format) => join("creators", key, fileNames.portrait(width, format)));
  }
}

export async function makePhotos({ key, photos, download }: DemoPhotoSet, look: LookName): Promise<void> {
  for (let position = 1; position <= photos; position++) {
    const height = HEIGHTS[(position - 1) % HEIGHTS.length] ?? WIDTH;
    const pixels = await renderPicture(look, `${key} ${position}`, height);
    for (const width of [SMALL, WIDTH]) {
      await write(pixels, width, (format) => join(key, fileNames.photo(position, width, format)));
    }
    if (download) await writeDownload(pixels, join(key, fileNames.photoDownload(position, WIDTH)));
  }
}

/** A frame of the video, larger than the video itself. */
export async function makePoster(key: string, look: LookName, seconds: number): Promise<void> {
  const pixels = await renderPicture(look, key, coverHeight("video", WIDTH), seconds * 0.4);
  for (const width of COVER_WIDTHS) {
    await write(pixels, width, (format) => join(key, fileNames.cover(width, format)));
  }
}

/** Pictures are drawn smaller than they are shown, because their content is soft; the sharp grain is added last. */
async function renderPicture(look: LookName, seed: string, height: number, time = 0): Promise<Picture> {
  const drawn = { width: Math.round(WIDTH * DRAWN_PART), height: Math.round(height * DRAWN_PART) };
  const small = renderFrame(composeScene(look, seed), { ...drawn, time, grain: 0 }, seededRandom(seed));
  const data = await sharp(small, { raw: { ...drawn, channels: 3 } })
    .resize(WIDTH, height, { fit: "fill", kernel: "lanczos3" })
    .raw()
    .toBuffer();
  addGrain(data, seededRandom(`${seed} grain`));
  return { data, height };
}

function addGrain(pixels: Buffer, random: Random): void {
  for (let index = 0; index < pixels.length; index += 3) {
    const speck = (random() + random() - 1) * GRAIN * 255;
    for (let channel = index; channel < index + 3; channel++) {
      pixels[channel] = clamp((pixels[channel] ?? 0) + speck, 0, 255);
    }
  }
}

type NameOf = (format: ImageFormat) => string;
interface Picture {
  data: Buffer;
  height: number;
}

/** The WebP is for old browsers. Its quality does not preserve the grain, which would double its size. */
/** Whoever downloads a photo keeps it, so it keeps more of the grain than the WebP. */
async function writeDownload({ data, height }: Picture, name: string): Promise<void> {
  await sharp(data, { raw: { width: WIDTH, height, channels: 3 } })
    .jpeg({ quality: 84, mozjpeg: true })
    .toFile(join(DEMO_DIR, name));
}

async function write({ data, height }: Picture, width: number, nameOf: NameOf): Promise<void> {
  const image = sharp(data, { raw: { width: WIDTH, height, channels: 3 } }).resize({ width });
  await mkdir(dirname(join(DEMO_DIR, nameOf("avif"))), { recursive: true });
  await image
    .clone()
    .avif({ quality: 52, effort: 2 })
    .toFile(join(DEMO_DIR, nameOf("avif")));
  await image
    .clone()
    .webp({ quality: 66, effort: 6 })
    .toFile(join(DEMO_DIR, nameOf("webp")));
}
