import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
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
import { allowPauses } from "../server/connections.server.ts";
import { findOpenResponse } from "../server/open-responses.server.ts";
import { countStream, trackStream } from "../server/process-streams.server.ts";
import type { Viewer } from "../session/viewer.server.ts";

export interface Flow {
  mayContinue: () => Promise<boolean>;
  end: () => void;
}

/** Uncounted when the database cannot write. */
export async function isOneRangeTooMany(request: Request, viewer: Viewer): Promise<boolean> {
  if (!request.headers.has("range")) return false;
  try {
    return (await takePoint("rangesByViewer", viewer.user?.id ?? limitKey(clientAddress(request)))) !== null;
  } catch (error) {
    log.warn({ err: error }, "a part of a file is not counted");
    return false;
  }
}

/** How long a paused player may read nothing. After that it requests the rest when it resumes. */
const MEMBER_PAUSE_MS = 10 * 60_000;
const SIGNED_OUT_PAUSE_MS = 2 * 60_000;

/** 429: the viewer's limit of videos is reached; 503: this process's. */
export interface RefusedFlow {
  status: 429 | 503;
}

/** Counts one more video until it ends. When the database cannot write, only the limit of this process applies. */
export async function beginVideo(
  request: Request,
  viewer: Viewer,
  mayContinue: Flow["mayContinue"],
): Promise<Flow | RefusedFlow> {
  const isSignedIn = viewer.user !== null;
  const discount = countStream({ isSignedIn });
  if (discount === null) return { status: 503 };
  const response = findOpenResponse(request);
  if (response) allowPauses(response, isSignedIn ? MEMBER_PAUSE_MS : SIGNED_OUT_PAUSE_MS);
  const holder = viewer.user ? memberHolder(viewer.user.id) : addressHolder(limitKey(clientAddress(request)));
  const flow = await holdSlot(holder, mayContinue, () => response?.destroy());
  if (flow === null) {
    discount();
    return { status: 429 };
  }
  return {
    mayContinue: flow.mayContinue,
    end: () => {
      discount();
      flow.end();
    },
  };
}

async function holdSlot(
  holder: StreamHolder,
  mayContinue: Flow["mayContinue"],
  close: () => void,
): Promise<Flow | null> {
  let slot: StreamSlot | null;
  try {
    slot = await takeStreamSlot(holder);
  } catch (error) {
    log.warn({ err: error }, "a stream is not counted");
    return { mayContinue, end: () => {} };
  }
  if (slot === null) return null;
  let held = slot;
  let hasEnded = false;
  const open = trackStream(holder, close);
  return {
    mayContinue: async () => (await mayContinue()) && (await keep()),
    end: () => {
      hasEnded = true;
      open.end();
      free(held);
    },
  };

  function free(taken: StreamSlot): void {
    freeStreamSlot(holder, taken).catch((error: unknown) => log.warn({ err: error }, "a slot stays taken"));
  }

  /** The slot of a long pause may be gone, so it takes another one. */
  async function keep(): Promise<boolean> {
    try {
      open.renew();
      if (await renewStreamSlot(holder, held)) return true;
      const next = await takeStreamSlot(holder);
      if (next === null) return false;
      held = next;
      if (hasEnded) free(next);
    } catch (error) {
      log.warn({ err: error }, "a stream is not counted");
    }
    return true;
  }
}
