import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { fitPicture } from "#app/domain/media/fit-picture.server.ts";
import type { PictureJob } from "#app/domain/media/import/set-pictures.server.ts";
import { type MadePicture, REFUSED_STATUS, writeMade } from "#app/domain/media/made-picture.ts";
import {
  makeCover,
  makePhoto,
  makePortrait,
  makeVideoPoster,
} from "#app/domain/media/make-picture.server.ts";
import { openPicture, PictureError, type PictureInput } from "#app/domain/media/picture.server.ts";
import { cropPixels, encode } from "#app/domain/media/pixels.server.ts";
import { PHOTO_WIDTHS } from "#app/domain/media/renditions.ts";
import { DISK_FULL, isNoSpace } from "#app/domain/media/storage/disk-full.ts";
import { PICTURE_FILES } from "#app/domain/site/pictures.ts";
import { isPictureKind } from "#app/domain/site/settings.ts";

const AVATAR_SIZE = 256;
/** 33 megapixels of an ordinary photo, more than an upload of 5 MB can hold. */
const LIMITS = { maxDecodedBytes: 100_000_000 };
/** 65 megapixels, as in an import. */
const ITEM_LIMITS = { maxDecodedBytes: 200_000_000 };
const WIDEST_PHOTO = { ...ITEM_LIMITS, widest: Math.max(...PHOTO_WIDTHS) };

type Maker = (...options: string[]) => Promise<string | Uint8Array>;
const MAKERS: Record<string, Maker> = { avatar, portrait, site, photo, cover };

// The codecs read untrusted data, so the operating system limits this process. A picture comes on stdin or as a file.
sharp.cache(false);
// More threads produce different bytes, which media:remake would take for a change.
sharp.concurrency(1);
const [kind = "", ...options] = process.argv.slice(2);
if (kind === "set") await answerJobs();
else {
  try {
    const make = MAKERS[kind];
    if (make === undefined)
      throw new Error(`Usage: make-picture <set | ${Object.keys(MAKERS).join(" | ")}> …`);
    process.stdout.write(await make(...options));
  } catch (error) {
    process.stderr.write(reasonOf(error));
    process.exitCode = REFUSED_STATUS;
  }
}

async function avatar() {
  const { pixels } = await openPicture(await buffer(process.stdin), LIMITS);
  const { data } = await encode(await cropPixels(pixels, AVATAR_SIZE, AVATAR_SIZE), AVATAR_SIZE, "webp");
  return data;
}

async function portrait() {
  const { pixels } = await openPicture(await buffer(process.stdin), LIMITS);
  return writeMade(await makePortrait(pixels));
}

async function site(pictureKind = "", name = "") {
  const files = isPictureKind(pictureKind) ? PICTURE_FILES[pictureKind] : [];
  const file = files.find((each) => each.name === name);
  if (file === undefined) throw new Error("Usage: make-picture site <kind> <name of a file>");
  return fitPicture(await buffer(process.stdin), file, LIMITS);
}

async function photo(number = "", file = "-") {
  const opened = await openPicture(await inputOf(file), WIDEST_PHOTO);
  return writeMade(await makePhoto(opened, { number: Number(number) }));
}

async function cover(type = "", file = "-") {
  if (type !== "video" && type !== "photoSet") throw new Error("Usage: make-picture cover <type> <file>");
  const { pixels } = await openPicture(await inputOf(file), ITEM_LIMITS);
  const { color, images } = await makeCover(pixels, type);
  const poster = type === "video" ? await makeVideoPoster(pixels) : [];
  return writeMade({ color, images: [...images, ...poster] });
}

async function inputOf(file: string): Promise<PictureInput> {
  return file === "-" ? await buffer(process.stdin) : file;
}

/** One line of answer for each line. A fault that is not the picture's ends the program. */
async function answerJobs(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const answer = await answerTo(JSON.parse(line)).catch((error) => ({ refused: reasonOf(error) }));
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

/** Throws what is not the picture's fault, except for the encoders' want of memory. */
function reasonOf(error: unknown): string {
  if (error instanceof PictureError) return error.message;
  if (error instanceof Error && /allocate|out of memory|create_context/i.test(error.message))
    return "this server has too little memory for it";
  throw error;
}

async function answerTo(job: PictureJob) {
  if (job.kind === "check") return { warning: (await openPicture(job.path, ITEM_LIMITS)).warning };
  if (job.kind === "cover") {
    const { pixels } = await openPicture(job.path, ITEM_LIMITS);
    return withFiles(await makeCover(pixels, "photoSet"), job.folder);
  }
  const opened = await openPicture(job.path, WIDEST_PHOTO);
  return withFiles(await makePhoto(opened, { number: job.number }), job.folder);
}

async function withFiles<Made extends MadePicture>({ images, ...facts }: Made, folder: string) {
  for (const { name, data } of images) {
    await writeFile(join(folder, name), data).catch((error) => {
      throw isNoSpace(error) ? new PictureError(DISK_FULL) : error;
    });
  }
  return { ...facts, images: images.map(({ data: _, ...image }) => image) };
}
