import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { writeMade } from "#app/domain/media/made-picture.ts";
import { makeCover, makePhoto, makeVideoPoster } from "#app/domain/media/make-picture.server.ts";
import {
  checkPicture,
  openPicture,
  PictureError,
  type PictureInput,
} from "#app/domain/media/picture.server.ts";
import { PHOTO_WIDTHS } from "#app/domain/media/renditions.ts";

/** As much as an import takes: 65 megapixels. */
const MAX_DECODED_BYTES = 200_000_000;

// As scripts/make-portrait.ts, with limits of its own. The picture is a file, or arrives on stdin as "-".
try {
  process.stdout.write(await made(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof PictureError)) throw error;
  process.stderr.write(error.message);
  process.exitCode = 2;
}

async function made([kind, detail = "", file = "-"]: string[]): Promise<string> {
  sharp.cache(false);
  sharp.concurrency(1);
  const input: PictureInput = file === "-" ? await buffer(process.stdin) : file;
  const isPhoto = kind === "photo";
  const opened = await openPicture(input, {
    maxDecodedBytes: MAX_DECODED_BYTES,
    ...(isPhoto ? { widest: Math.max(...PHOTO_WIDTHS) } : {}),
  });
  await checkPicture(input);
  if (isPhoto) return writeMade(await makePhoto(opened, { number: Number(detail) }));
  if (detail !== "video" && detail !== "photoSet")
    throw new Error("Usage: make-item-picture cover <type> <file>");
  const { color, images } = await makeCover(opened.pixels, detail);
  const poster = detail === "video" ? await makeVideoPoster(opened.pixels) : [];
  return writeMade({ color, images: [...images, ...poster] });
}
