import type { ServedFile } from "#app/domain/catalog/media/served-file.server.ts";
import type { Viewer } from "#app/domain/viewer/viewer.ts";
import {
  addressHolder,
  freeStreamSlot,
  memberHolder,
  renewStreamSlot,
  type StreamHolder,
  type StreamSlot,
  takeStreamSlot,
} from "#app/domain/viewing/stream-slots.server.ts";
import { log } from "#app/log.server.ts";
import { clientAddress, limitKey } from "../request/client-address.server.ts";
import { contextOf } from "../request/request-context.server.ts";
import { countStream, trackStream } from "../server/process-streams.server.ts";

/** How long a paused player may read nothing. After that it requests the rest when it resumes. */
const MEMBER_PAUSE_MS = 10 * 60_000;
const SIGNED_OUT_PAUSE_MS = 2 * 60_000;

/** One running video, counted in this process and, while the database can write, among its viewer's streams. */
export interface VideoSlot {
  /** False when the viewer's other streams have taken the slot meanwhile. */
  keep: () => Promise<boolean>;
  release: () => void;
}

export function isVideo({ contentType }: ServedFile): boolean {
  return contentType.startsWith("video/");
}

export async function takeVideoSlot(
  request: Request,
  viewer: Viewer,
): Promise<VideoSlot | { status: 429 | 503 }> {
  const isSignedIn = viewer.user !== null;
  const discount = countStream({ isSignedIn });
  if (discount === null) return { status: 503 };
  const context = contextOf(request);
  if (context) context.pauseMs = isSignedIn ? MEMBER_PAUSE_MS : SIGNED_OUT_PAUSE_MS;
  const holder = holderOf(request, viewer);
  let slot: StreamSlot | null;
  try {
    slot = await takeStreamSlot(holder);
  } catch (error) {
    log.warn({ err: error }, "a stream is not counted");
    return { keep: async () => true, release: discount };
  }
  if (slot === null) {
    discount();
    return { status: 429 };
  }
  const leased = leaseSlot(holder, slot, () => context?.response.destroy());
  return {
    keep: leased.keep,
    release: () => {
      discount();
      leased.release();
    },
  };
}

export function holderOf(request: Request, { user }: Viewer): StreamHolder {
  return user ? memberHolder(user.id) : addressHolder(limitKey(clientAddress(request)));
}

function leaseSlot(holder: StreamHolder, taken: StreamSlot, close: () => void): VideoSlot {
  let slot = taken;
  let isReleased = false;
  const open = trackStream(holder, close);
  return {
    async keep() {
      try {
        open.renew();
        if (await renewStreamSlot(holder, slot)) return true;
        // The slot was lost in a long pause.
        const next = await takeStreamSlot(holder);
        if (next === null) return false;
        slot = next;
        if (isReleased) free();
      } catch (error) {
        log.warn({ err: error }, "a stream is not counted");
      }
      return true;
    },
    release() {
      isReleased = true;
      open.end();
      free();
    },
  };

  function free(): void {
    freeStreamSlot(holder, slot).catch((error: unknown) => log.warn({ err: error }, "a slot stays taken"));
  }
}
