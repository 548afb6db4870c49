import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { cropPixels, encode, openPicture, PictureError } from "#app/domain/media/picture.server.ts";

const AVATAR_SIZE = 256;
/** In memory: 33 megapixels of an ordinary photo, more than fits into an upload of 5 MB. */
const MAX_DECODED_BYTES = 100_000_000;

// Each picture gets its own process: the codecs read untrusted data, and the operating system limits their memory.
// The picture arrives on stdin and leaves on stdout. A reason that can be shown goes to stderr, with exit code 2.
try {
  process.stdout.write(await resizeAvatar(await buffer(process.stdin)));
} catch (error) {
  if (!(error instanceof PictureError)) throw error;
  process.stderr.write(error.message);
  process.exitCode = 2;
}

/** A square WebP of the most prominent part. Throws a PictureError. */
async function resizeAvatar(bytes: Uint8Array): Promise<Buffer> {
  sharp.cache(false);
  sharp.concurrency(1);
  const { pixels } = await openPicture(bytes, { maxDecodedBytes: MAX_DECODED_BYTES });
  const { data } = await encode(await cropPixels(pixels, AVATAR_SIZE, AVATAR_SIZE), AVATAR_SIZE, "webp");
  return data;
}
