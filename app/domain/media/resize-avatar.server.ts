import sharp from "sharp";
import { cropPixels, encode, openPicture } from "./picture.server.ts";

const AVATAR_SIZE = 256;
/** In memory: 33 megapixels of an ordinary photo, more than fits into an upload of 5 MB. */
const MAX_DECODED_BYTES = 100_000_000;

/** A square WebP of the most prominent part. Throws a PictureError. */
export async function resizeAvatar(bytes: Uint8Array): Promise<Buffer> {
  sharp.cache(false);
  sharp.concurrency(1);
  const { pixels } = await openPicture(bytes, { maxDecodedBytes: MAX_DECODED_BYTES });
  const { data } = await encode(await cropPixels(pixels, AVATAR_SIZE, AVATAR_SIZE), AVATAR_SIZE, "webp");
  return data;
}
