import { spawn } from "node:child_process";
import { buffer, text } from "node:stream/consumers";
import { bulkhead } from "cockatiel";
import { PictureError } from "./picture-error.ts";

/** Starting takes 60 MB of memory, and the largest accepted picture about 250 MB. */
const MAX_MEMORY_KB = 400 * 1024;
/** A print photo of 20 megapixels takes the longest, about three seconds. */
const MAX_CPU_SECONDS = 15;
const TIMEOUT_MS = 60_000;
const MAX_WAITING = 10;
const REFUSED = 2;
const SOURCE = ["--import", "tsx", "scripts/resize-avatar.ts"];
const BUILT = ["build/scripts/resize-avatar.js"];
/** The shell limits itself and then becomes the program, since Node cannot limit a child. */
const LIMITED = `ulimit -d ${MAX_MEMORY_KB}; ulimit -t ${MAX_CPU_SECONDS}; exec "$@"`;
/** Contains no secrets; one thread, and freed memory is returned at once. */
const ENVIRONMENT = { NODE_ENV: "production" as const, UV_THREADPOOL_SIZE: "1", MALLOC_ARENA_MAX: "2" };

const decoding = bulkhead(1, MAX_WAITING);

/** Throws a PictureError, and cockatiel's BulkheadRejectedError when too many wait. */
export function runAvatarProgram(bytes: Uint8Array): Promise<Buffer> {
  return decoding.execute(() => run(bytes));
}

async function run(bytes: Uint8Array): Promise<Buffer> {
  // Read here, since the worker imports this module without Vite.
  const program = import.meta.env.DEV ? SOURCE : BUILT;
  const args = ["-c", LIMITED, "sh", process.execPath, "--max-old-space-size=64", ...program];
  const child = spawn("/bin/sh", args, {
    env: ENVIRONMENT,
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  // The program may exit before it has read everything.
  child.stdin.on("error", () => {}).end(bytes);
  const [drawn, said, status] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
  if (status === 0) return drawn;
  throw new PictureError(status === REFUSED ? said : "the picture could not be unpacked");
}
