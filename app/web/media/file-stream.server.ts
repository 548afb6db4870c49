import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { ACCESS_MAX_AGE_MS } from "#app/domain/access/access.ts";

interface FileStreamOptions {
  source: Readable;
  response: ServerResponse;
  mayContinue: () => Promise<boolean>;
  onEnd: () => void;
}

export function fileStream({
  source,
  response,
  mayContinue,
  onEnd,
}: FileStreamOptions): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]();
  let checkedAt = performance.now();
  const close = () => {
    source.destroy();
    onEnd();
  };
  // Once the client has left, Remix may neither read nor cancel this stream, so the response's end closes the file.
  response.once("close", close);

  async function nextChunk(): Promise<Uint8Array | null> {
    await untilDrained(response);
    if (response.destroyed) return null;
    if (performance.now() - checkedAt >= ACCESS_MAX_AGE_MS) {
      if (!(await mayContinue())) throw new Error("The access or the slot has ended");
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
            close();
            controller.close();
          }
        } catch {
          close();
          // controller.close() alone leaves the client waiting, and controller.error() is printed.
          response.destroy();
          controller.close();
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

/** Remix ignores backpressure when it writes to the response. */
async function untilDrained(response: ServerResponse): Promise<void> {
  if (!response.writableNeedDrain) return;
  const controller = new AbortController();
  const { signal } = controller;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]).catch(
    () => {},
  );
  controller.abort();
}
