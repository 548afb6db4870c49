import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { fitPicture, PictureError } from "#app/domain/media/picture.server.ts";
import { PICTURE_FILES } from "#app/domain/site/pictures.ts";
import { isPictureKind } from "#app/domain/site/settings.ts";

/** In memory: as for portraits. */
const MAX_DECODED_BYTES = 100_000_000;

// Each file is made in its own process, as in resize-avatar.ts. The kind of picture and the name of the file are options.
try {
  process.stdout.write(await makePicture(await buffer(process.stdin)));
} catch (error) {
  if (!(error instanceof PictureError)) throw error;
  process.stderr.write(error.message);
  process.exitCode = 2;
}

/** Throws a PictureError. */
async function makePicture(bytes: Uint8Array): Promise<Buffer> {
  const [kind = "", name] = process.argv.slice(2);
  const file = isPictureKind(kind) ? PICTURE_FILES[kind].find((each) => each.name === name) : undefined;
  if (file === undefined) throw new Error("Usage: make-site-picture <kind> <name of a file>");
  sharp.cache(false);
  sharp.concurrency(1);
  return fitPicture(bytes, file, { maxDecodedBytes: MAX_DECODED_BYTES });
}
