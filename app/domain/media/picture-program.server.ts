import { bulkhead } from "cockatiel";
import { type Limits, runLimited } from "./limited-program.server.ts";

/** The message can be shown. Not a PictureError, whose file would load the decoder into the web processes. */
export class UploadError extends Error {}

const MAX_WAITING = 10;
const REFUSED = 2;

const decoding = bulkhead(1, MAX_WAITING);

/** Throws an UploadError, and cockatiel's BulkheadRejectedError when too many wait. */
export function runPictureProgram(
  name: "resize-avatar" | "make-portrait",
  bytes: Uint8Array,
  limits: Limits,
): Promise<Buffer> {
  return decoding.execute(() => run(name, bytes, limits));
}

async function run(name: string, bytes: Uint8Array, limits: Limits): Promise<Buffer> {
  // Read here, since the worker imports this module without Vite.
  const program = import.meta.env.DEV ? [`scripts/${name}.ts`] : [`build/scripts/${name}.js`];
  const { status, output, said } = await runLimited(program, bytes, limits);
  if (status === 0) return output;
  throw new UploadError(status === REFUSED ? said : "the picture could not be unpacked");
}
