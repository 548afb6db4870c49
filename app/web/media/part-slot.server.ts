// Needed because a player in closed ranges has no connection that could hold its slot: decision 143.
import { LRUCache } from "lru-cache";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { leaseFor, renewSlot, takeSlot } from "#app/domain/viewing/video-slots.server.ts";
import { log } from "#app/log.server.ts";
import { holderOf } from "./video-slot.server.ts";

/** A video that is opened and left at once takes no slot. */
const PLAYING_AFTER_MS = 10_000;
/** Another video may take a slot that has been idle for 15 s. */
const RENEW_AFTER_MS = 5_000;
const FORGOTTEN_AFTER_MS = 30_000;
const MAX_VIDEOS = 20_000;

interface Playing {
  firstAt: number;
  /** When its slot was last renewed; null without a slot. */
  renewedAt: number | null;
}

/** By holder, session and file. With several web processes, each needs a first range of its own. */
const playing = new LRUCache<string, Playing>({
  max: MAX_VIDEOS,
  ttl: FORGOTTEN_AFTER_MS,
  updateAgeOnGet: true,
});

/**
 * A video in closed ranges takes a slot at the first one that comes ten seconds after its beginning, and loses it when no
 * further one comes. False when the viewer's slots are taken.
 */
export async function holdSlotForPart(request: Request, viewer: Viewer, path: string): Promise<boolean> {
  const holder = holderOf(request, viewer);
  const key = `${holder.id} ${viewer.session?.sessionId ?? ""} ${path}`;
  const now = performance.now();
  const video = playing.get(key) ?? { firstAt: now, renewedAt: null };
  playing.set(key, video);
  if (now - video.firstAt < PLAYING_AFTER_MS) return true;
  if (video.renewedAt !== null && now - video.renewedAt < RENEW_AFTER_MS) return true;
  // Before the answer, so that two parts at once take one slot.
  video.renewedAt = now;
  const leaseId = leaseFor(key);
  try {
    const isHeld = (await renewSlot(holder, leaseId)) || (await takeSlot(holder, leaseId));
    if (!isHeld) video.renewedAt = null;
    return isHeld;
  } catch (error) {
    log.warn({ err: error }, "a video is not counted");
    return true;
  }
}
