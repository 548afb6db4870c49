import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import type { PictureJob } from "#app/domain/media/intake/set-pictures.server.ts";
import { type MadePicture, writeMade } from "#app/domain/media/made-picture.ts";
import { makeCover, makePhoto, makeVideoPoster } from "#app/domain/media/make-picture.server.ts";
import {
  checkPicture,
  openPicture,
  PictureError,
  type PictureInput,
} from "#app/domain/media/picture.server.ts";
import { PHOTO_WIDTHS } from "#app/domain/media/renditions.ts";

/** As much as an import takes: 65 megapixels. */
const LIMITS = { maxDecodedBytes: 200_000_000 };
const WIDEST_PHOTO = { ...LIMITS, widest: Math.max(...PHOTO_WIDTHS) };

// As scripts/make-portrait.ts, with limits of its own. The picture is a file, or arrives on stdin as "-".
sharp.cache(false);
// More threads make other bytes of the same picture, which media:remake would take for a change.
sharp.concurrency(1);
const [kind, ...options] = process.argv.slice(2);
if (kind === "set") await answerJobs();
else {
  try {
    process.stdout.write(await made(kind, options));
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    process.stderr.write(error.message);
    process.exitCode = 2;
  }
}

async function made(kind: string | undefined, [detail = "", file = "-"]: string[]): Promise<string> {
  const input: PictureInput = file === "-" ? await buffer(process.stdin) : file;
  const isPhoto = kind === "photo";
  const opened = await openPicture(input, isPhoto ? WIDEST_PHOTO : LIMITS);
  await checkPicture(input);
  if (isPhoto) return writeMade(await makePhoto(opened, { number: Number(detail) }));
  if (detail !== "video" && detail !== "photoSet")
    throw new Error("Usage: make-item-picture cover <type> <file>");
  const { color, images } = await makeCover(opened.pixels, detail);
  const poster = detail === "video" ? await makeVideoPoster(opened.pixels) : [];
  return writeMade({ color, images: [...images, ...poster] });
}

/** An answer in one line for each line. A fault that is not the picture's ends the program. */
async function answerJobs(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const answer = await answerTo(JSON.parse(line)).catch((error) => {
      if (!(error instanceof PictureError)) throw error;
      return { refused: error.message };
    });
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

async function answerTo(job: PictureJob) {
  if (job.kind === "check") return { warning: await checkPicture(job.path, LIMITS) };
  if (job.kind === "cover") {
    const { pixels } = await openPicture(job.path, LIMITS);
    return withFiles(await makeCover(pixels, "photoSet"), job.folder);
  }
  const opened = await openPicture(job.path, WIDEST_PHOTO);
  return withFiles(await makePhoto(opened, { number: job.number }), job.folder);
}

async function withFiles<Made extends MadePicture>({ images, ...facts }: Made, folder: string) {
  for (const { name, data } of images) await writeFile(join(folder, name), data);
  return { ...facts, images: images.map(({ data: _, ...image }) => image) };
}
