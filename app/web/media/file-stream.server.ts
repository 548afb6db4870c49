import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { drained } from "../server/open-responses.server.ts";
import type { Flow } from "./media-limits.server.ts";

/** Half of the ten seconds for which a stream may outlive its access, so that a slow check fits too. */
const ASK_AGAIN_MS = 5_000;

interface FileStreamOptions {
  open: () => Promise<Readable>;
  flow: Flow;
  /** Null outside a server: the stream then has no backpressure. */
  response: ServerResponse | null;
}

/** Reads at the client's pace, stops when access ends, and closes the file when the client leaves. */
export function fileStream({ open, flow, response }: FileStreamOptions): ReadableStream<Uint8Array> {
  let source: Readable | null = null;
  let chunks: AsyncIterator<Uint8Array> | null = null;
  let checkedAt = performance.now();
  let hasEnded = false;
  const letGo = () => {
    source?.destroy();
    if (!hasEnded) flow.end();
    hasEnded = true;
  };
  response?.once("close", letGo);
  // The response may have closed while the stream was being counted.
  if (response?.destroyed) letGo();

  async function nextChunk(): Promise<Uint8Array | null> {
    if (response) await drained(response);
    if (response?.destroyed) return null;
    if (performance.now() - checkedAt >= ASK_AGAIN_MS) {
      if (!(await flow.mayContinue())) throw new AccessEnded();
      checkedAt = performance.now();
    }
    if (!chunks) {
      source = await open();
      if (response?.destroyed) letGo();
      chunks = source[Symbol.asyncIterator]();
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
            letGo();
            controller.close();
          }
        } catch (error) {
          letGo();
          // A normal end would leave the client waiting for the promised length; an error here would be printed.
          if (response) {
            response.destroy();
            controller.close();
          } else controller.error(error);
        }
      },
      cancel: letGo,
    },
    { highWaterMark: 0 },
  );
}

class AccessEnded extends Error {}
