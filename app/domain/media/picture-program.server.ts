import { bulkhead } from "cockatiel";
import { type Limits, runLimited } from "./limited-program.server.ts";

/** The message can be shown. Not a PictureError, whose file would load the decoder into the web processes. */
export class PictureProgramError extends Error {}

const LIMITS: Limits = {
  /** An AVIF picture of nine megapixels takes 218 MB, the most of those tried. */
  memoryKb: 350 * 1024,
  /** A print photo of 20 megapixels takes the longest, about three seconds. */
  cpuSeconds: 15,
  timeoutMs: 60_000,
};
const MAX_WAITING = 10;
const REFUSED = 2;

const decoding = bulkhead(1, MAX_WAITING);

/**
 * Runs a program of scripts/ that decodes an uploaded picture, and resolves with what it made (decision 096). Throws a
 * PictureProgramError, and cockatiel's BulkheadRejectedError when too many wait.
 */
export function runPictureProgram(
  name: "resize-avatar" | "make-portrait" | "make-site-picture",
  bytes: Uint8Array,
  { options = [], cpuSeconds = LIMITS.cpuSeconds }: { options?: string[]; cpuSeconds?: number } = {},
): Promise<Buffer> {
  // Read here, since the worker imports this module without Vite.
  const program = import.meta.env.DEV ? `scripts/${name}.ts` : `build/scripts/${name}.js`;
  return decoding.execute(() => run([program, ...options], bytes, { ...LIMITS, cpuSeconds }));
}

async function run(program: string[], bytes: Uint8Array, limits: Limits): Promise<Buffer> {
  const { status, output, said } = await runLimited(program, bytes, limits);
  if (status === 0) return output;
  throw new PictureProgramError(status === REFUSED ? said : "the picture could not be unpacked");
}
