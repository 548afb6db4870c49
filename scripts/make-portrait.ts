import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { writeMade } from "#app/domain/media/made-picture.ts";
import { makePortrait } from "#app/domain/media/make-portrait.server.ts";
import { checkPicture, openPicture, PictureError } from "#app/domain/media/picture.server.ts";

/** As for a profile picture: more than fits into an upload of 5 MB. */
const MAX_DECODED_BYTES = 100_000_000;

// As scripts/resize-avatar.ts, in a process of its own: the picture arrives on stdin, and its files leave on stdout as JSON.
try {
  process.stdout.write(await portraitOf(await buffer(process.stdin)));
} catch (error) {
  if (!(error instanceof PictureError)) throw error;
  process.stderr.write(error.message);
  process.exitCode = 2;
}

async function portraitOf(bytes: Uint8Array): Promise<string> {
  sharp.cache(false);
  sharp.concurrency(1);
  const { pixels } = await openPicture(bytes, { maxDecodedBytes: MAX_DECODED_BYTES });
  await checkPicture(bytes);
  return writeMade(await makePortrait(pixels));
}
