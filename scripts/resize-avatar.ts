import { buffer } from "node:stream/consumers";
import { PictureError } from "#app/domain/media/picture-error.ts";
import { resizeAvatar } from "#app/domain/media/resize-avatar.server.ts";

// Each picture gets its own process: the codecs read untrusted data, and the operating system limits their memory.
// The picture arrives on stdin and leaves on stdout. A reason that can be shown goes to stderr, with exit code 2.
try {
  process.stdout.write(await resizeAvatar(await buffer(process.stdin)));
} catch (error) {
  if (!(error instanceof PictureError)) throw error;
  process.stderr.write(error.message);
  process.exitCode = 2;
}
