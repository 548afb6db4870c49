import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { Delivery } from "./delivery.server.ts";

/** Half of the ten seconds for which a stream may outlive its access, so that a slow check fits too. */
const CHECK_AGAIN_MS = 5_000;

interface FileStreamOptions {
  source: Readable;
  delivery: Pick<Delivery, "check" | "release">;
  /** Null outside a server: the stream then has no backpressure. */
  response: ServerResponse | null;
}

/** Reads at the client's pace, stops when access ends, and closes the file when the client leaves. */
export function fileStream({ source, delivery, response }: FileStreamOptions): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]();
  let checkedAt = performance.now();
  const release = () => {
    source.destroy();
    delivery.release();
  };
  response?.once("close", release);
  // The response may have closed while the file was being opened.
  if (response?.destroyed) release();

  async function nextChunk(): Promise<Uint8Array | null> {
    if (response) await drained(response);
    if (response?.destroyed) return null;
    if (performance.now() - checkedAt >= CHECK_AGAIN_MS) {
      if (!(await delivery.check())) throw new AccessEnded();
      checkedAt = performance.now();
    }
    const { value, done } = await chunks.next();
    return done ? null : value;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await nextChunk();
          if (chunk) controller.enqueue(chunk);
          else {
            release();
            controller.close();
          }
        } catch (error) {
          release();
          // A normal end would leave the client waiting for the promised length; an error here would be printed.
          if (response) {
            response.destroy();
            controller.close();
          } else controller.error(error);
        }
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}

/** Remix ignores backpressure when it writes to the response. */
async function drained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain) return;
  const controller = new AbortController();
  const { signal } = controller;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]).catch(
    () => {},
  );
  controller.abort();
}

class AccessEnded extends Error {}
