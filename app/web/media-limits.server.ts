import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import {
  freeStreamSlot,
  renewStreamSlot,
  type StreamSlot,
  takeStreamSlot,
} from "#app/domain/viewing/stream-slots.server.ts";
import { clientAddress, limitKey } from "./client-address.server.ts";
import { log } from "./log.server.ts";
import type { Viewer } from "./viewer.server.ts";

/** What runs while a file flows. */
export interface Flow {
  /** Asked every few seconds. */
  mayContinue: () => Promise<boolean>;
  end: () => void;
}

/**
 * Whether this request for a part of a file is one too many in this second. Where nothing can be written parts are sent
 * uncounted.
 */
export async function isOneRangeTooMany(request: Request, viewer: Viewer): Promise<boolean> {
  if (!request.headers.has("range")) return false;
  try {
    return (await takePoint("rangesByViewer", viewer.user?.id ?? limitKey(clientAddress(request)))) !== null;
  } catch (error) {
    log.warn({ err: error }, "a part of a file is not counted");
    return false;
  }
}

/**
 * Counts one more film of a member until it ends; null when there are too many. Where nothing can be written films
 * flow uncounted.
 */
export async function beginFilm(userId: string, mayContinue: Flow["mayContinue"]): Promise<Flow | null> {
  let slot: StreamSlot | null;
  try {
    slot = await takeStreamSlot(userId);
  } catch (error) {
    log.warn({ err: error }, "a stream is not counted");
    return { mayContinue, end: () => {} };
  }
  if (slot === null) return null;
  let held = slot;
  let hasEnded = false;
  return {
    mayContinue: async () => (await mayContinue()) && (await keep()),
    end: () => {
      hasEnded = true;
      free(held);
    },
  };

  function free(taken: StreamSlot): void {
    freeStreamSlot(userId, taken).catch((error: unknown) => log.warn({ err: error }, "a slot stays taken"));
  }

  /** One that was paused for long takes its place in the line again. */
  async function keep(): Promise<boolean> {
    try {
      if (await renewStreamSlot(userId, held)) return true;
      const next = await takeStreamSlot(userId);
      if (next === null) return false;
      held = next;
      if (hasEnded) free(next);
    } catch (error) {
      log.warn({ err: error }, "a stream is not counted");
    }
    return true;
  }
}
