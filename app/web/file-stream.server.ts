import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { Flow } from "./media-limits.server.ts";
import { drained } from "./outgoing.server.ts";

/** Half of the ten seconds that an ended access may still flow, so that a slow question fits too. */
const ASK_AGAIN_MS = 5_000;
const STALL_LIMIT_MS = 10 * 60_000;

interface FileStreamOptions {
  open: () => Promise<Readable>;
  flow: Flow;
  /** Null outside a server: then nothing slows the stream down. */
  outgoing: ServerResponse | null;
}

/** Reads no faster than the client takes, stops when access ends, and lets go of the file when the client leaves. */
export function fileStream({ open, flow, outgoing }: FileStreamOptions): ReadableStream<Uint8Array> {
  let source: Readable | null = null;
  let chunks: AsyncIterator<Uint8Array> | null = null;
  let askedAt = Date.now();
  let hasEnded = false;
  const letGo = () => {
    source?.destroy();
    if (!hasEnded) flow.end();
    hasEnded = true;
  };
  outgoing?.once("close", letGo);
  // It may have closed while the film was being counted.
  if (outgoing?.destroyed) letGo();

  async function nextChunk(): Promise<Uint8Array | null> {
    if (outgoing) await drained(outgoing, STALL_LIMIT_MS);
    if (outgoing?.destroyed) return null;
    if (Date.now() - askedAt >= ASK_AGAIN_MS) {
      if (!(await flow.mayContinue())) throw new AccessEnded();
      askedAt = Date.now();
    }
    if (!chunks) {
      source = await open();
      if (outgoing?.destroyed) letGo();
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
          // Ending calmly would leave the client waiting for the promised length; an error here would be printed.
          if (outgoing) {
            outgoing.destroy();
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
