import { LRUCache } from "lru-cache";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import {
  addressHolder,
  freeSlot,
  leaseFor,
  memberHolder,
  newLease,
  renewSlot,
  type SlotHolder,
  takeSlot,
} from "#app/domain/viewing/video-slots.server.ts";
import { log } from "#app/log.server.ts";
import { clientAddress, limitKey } from "../request/client-address.server.ts";
import { contextOf } from "../request/request-context.server.ts";
import { admitVideo, type VideoToSend } from "../server/sent-videos.server.ts";

/** A paused player keeps its connection for this long. Afterwards it requests the rest when it goes on. */
const MEMBER_PAUSE_MS = 10 * 60_000;
const SIGNED_OUT_PAUSE_MS = 2 * 60_000;

/** A video that this process sends. */
export interface VideoSlot {
  /** False when the viewer's other videos have taken the slot meanwhile. */
  keep: () => Promise<boolean>;
  release: () => void;
}

/** 429: the viewer has as many as they may have; 503: this process. Only a playback takes one of the viewer's slots here. */
export async function takeVideoSlot(
  request: Request,
  viewer: Viewer,
  form: VideoToSend["form"],
): Promise<VideoSlot | { status: 429 | 503 }> {
  const holder = holderOf(request, viewer);
  const leaseId = form === "playback" ? newLease() : null;
  if (leaseId !== null && !(await isHeld(() => takeSlot(holder, leaseId)))) return { status: 429 };
  const context = contextOf(request);
  const isSignedIn = viewer.user !== null;
  const sent = admitVideo({ ...holder, form, isSignedIn, close: () => context?.response.destroy() });
  if ("status" in sent) {
    free(holder, leaseId);
    return sent;
  }
  if (context) context.pauseMs = isSignedIn ? MEMBER_PAUSE_MS : SIGNED_OUT_PAUSE_MS;
  let isReleased = false;
  return {
    async keep() {
      sent.renew();
      if (leaseId === null) return true;
      const isKept = await isHeld(() => renewOrTake(holder, leaseId));
      // The video may have ended while the statement was taking the slot again.
      if (isReleased) free(holder, leaseId);
      return isKept;
    },
    release() {
      isReleased = true;
      sent.end();
      free(holder, leaseId);
    },
  };
}

/** In closed ranges, a video takes its slot after this time: one that is opened and left at once takes none. */
const PLAYING_AFTER_MS = 10_000;
/** Well within the 15 s after which another video may take the slot. */
const RENEW_AFTER_MS = 5_000;
/** A video that has requested nothing for this long begins anew. */
const FORGOTTEN_AFTER_MS = 30_000;
const MAX_VIDEOS = 20_000;

interface Playing {
  firstAt: number;
  /** When its slot was last renewed; null without a slot. */
  renewedAt: number | null;
}

/**
 * Needed because a player in closed ranges has no connection that could hold its slot: decision 143. The key is
 * holder, session and file. Each web process has its own map, so the ten seconds begin in each of them.
 */
const playing = new LRUCache<string, Playing>({
  max: MAX_VIDEOS,
  ttl: FORGOTTEN_AFTER_MS,
  updateAgeOnGet: true,
});

/**
 * A video in closed ranges takes a slot with the first range that comes ten seconds or more after its beginning, and loses
 * it when no more come. False when the viewer's slots are taken.
 */
export async function holdSlotForPart(request: Request, viewer: Viewer, path: string): Promise<boolean> {
  const holder = holderOf(request, viewer);
  const key = `${holder.id} ${viewer.session?.sessionId ?? ""} ${path}`;
  const now = performance.now();
  const video = playing.get(key) ?? { firstAt: now, renewedAt: null };
  playing.set(key, video);
  if (now - video.firstAt < PLAYING_AFTER_MS) return true;
  if (video.renewedAt !== null && now - video.renewedAt < RENEW_AFTER_MS) return true;
  // Set before the statement runs, so that two parts at once take one slot.
  video.renewedAt = now;
  const isPlaying = await isHeld(() => renewOrTake(holder, leaseFor(key)));
  if (!isPlaying) video.renewedAt = null;
  return isPlaying;
}

function holderOf(request: Request, { user }: Viewer): SlotHolder {
  return user ? memberHolder(user.id) : addressHolder(limitKey(clientAddress(request)));
}

/** The slot may have been lost in a long pause. */
async function renewOrTake(holder: SlotHolder, leaseId: string): Promise<boolean> {
  return (await renewSlot(holder, leaseId)) || (await takeSlot(holder, leaseId));
}

/** True also while the database cannot write: a subscriber goes on watching, uncounted. */
async function isHeld(hold: () => Promise<boolean>): Promise<boolean> {
  try {
    return await hold();
  } catch (error) {
    log.warn({ err: error }, "a video is not counted");
    return true;
  }
}

function free(holder: SlotHolder, leaseId: string | null): void {
  if (leaseId === null) return;
  freeSlot(holder, leaseId).catch((error: unknown) => log.warn({ err: error }, "a slot stays taken"));
}
