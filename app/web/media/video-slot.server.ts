import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import {
  addressHolder,
  freeSlot,
  memberHolder,
  newLease,
  renewSlot,
  type SlotHolder,
  takeSlot,
} from "#app/domain/viewing/video-slots.server.ts";
import { log } from "#app/log.server.ts";
import { clientAddress, limitKey } from "../request/client-address.server.ts";
import { contextOf } from "../request/request-context.server.ts";
import { admitVideo, type SentVideo, type VideoToSend } from "../server/sent-videos.server.ts";

/** How long a paused player may read nothing. After that it requests the rest when it resumes. */
const MEMBER_PAUSE_MS = 10 * 60_000;
const SIGNED_OUT_PAUSE_MS = 2 * 60_000;

/** A video that this process sends, and, while the database can write, one of its viewer's slots. */
export interface VideoSlot {
  /** False when the viewer's other videos have taken the slot meanwhile. */
  keep: () => Promise<boolean>;
  release: () => void;
}

/** 429: the viewer has as many as may be; 503: this process. Only a playback takes one of the viewer's slots here. */
export async function takeVideoSlot(
  request: Request,
  viewer: Viewer,
  form: VideoToSend["form"],
): Promise<VideoSlot | { status: 429 | 503 }> {
  const holder = holderOf(request, viewer);
  const leaseId = newLease();
  let isCounted = form === "playback";
  try {
    if (isCounted && !(await takeSlot(holder, leaseId))) return { status: 429 };
  } catch (error) {
    log.warn({ err: error }, "a video is not counted");
    isCounted = false;
  }
  const context = contextOf(request);
  const isSignedIn = viewer.user !== null;
  const sent = admitVideo({ ...holder, form, isSignedIn, close: () => context?.response.destroy() });
  if ("status" in sent) {
    if (isCounted) free(holder, leaseId);
    return sent;
  }
  if (context) context.pauseMs = isSignedIn ? MEMBER_PAUSE_MS : SIGNED_OUT_PAUSE_MS;
  return isCounted ? countedVideo(sent, holder, leaseId) : uncountedVideo(sent);
}

export function holderOf(request: Request, { user }: Viewer): SlotHolder {
  return user ? memberHolder(user.id) : addressHolder(limitKey(clientAddress(request)));
}

function uncountedVideo(sent: SentVideo): VideoSlot {
  return {
    async keep() {
      sent.renew();
      return true;
    },
    release: sent.end,
  };
}

function countedVideo(sent: SentVideo, holder: SlotHolder, leaseId: string): VideoSlot {
  let isReleased = false;
  return {
    async keep() {
      sent.renew();
      try {
        // The slot may have been lost in a long pause.
        const isKept = (await renewSlot(holder, leaseId)) || (await takeSlot(holder, leaseId));
        if (isReleased) free(holder, leaseId);
        return isKept;
      } catch (error) {
        log.warn({ err: error }, "a video is not counted");
        return true;
      }
    },
    release() {
      isReleased = true;
      sent.end();
      free(holder, leaseId);
    },
  };
}

function free(holder: SlotHolder, leaseId: string): void {
  freeSlot(holder, leaseId).catch((error: unknown) => log.warn({ err: error }, "a slot stays taken"));
}
