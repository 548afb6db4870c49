import { bulkhead } from "cockatiel";
import { runLimited } from "./limited-program.server.ts";
import { PictureError } from "./picture-error.ts";

const LIMITS = {
  /** An AVIF picture of nine megapixels takes 218 MB, the most of those tried. */
  memoryKb: 350 * 1024,
  /** A print photo of 20 megapixels takes the longest, about three seconds. */
  cpuSeconds: 15,
  timeoutMs: 60_000,
};
const MAX_WAITING = 10;
const REFUSED = 2;
const SOURCE = ["scripts/resize-avatar.ts"];
const BUILT = ["build/scripts/resize-avatar.js"];

const decoding = bulkhead(1, MAX_WAITING);

/** Throws a PictureError, and cockatiel's BulkheadRejectedError when too many wait. */
export function runAvatarProgram(bytes: Uint8Array): Promise<Buffer> {
  return decoding.execute(() => run(bytes));
}

async function run(bytes: Uint8Array): Promise<Buffer> {
  // Read here, since the worker imports this module without Vite.
  const program = import.meta.env.DEV ? SOURCE : BUILT;
  const { status, output, said } = await runLimited(program, bytes, LIMITS);
  if (status === 0) return output;
  throw new PictureError(status === REFUSED ? said : "the picture could not be unpacked");
}
