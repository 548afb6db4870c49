import { LRUCache } from "lru-cache";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import {
  addressHolder,
  freeSlot,
  keepSlot,
  leaseFor,
  memberHolder,
  newLease,
  type SlotHolder,
  takeOverSlot,
  takeSlot,
} from "#app/domain/viewing/video-slots.server.ts";
import { log } from "#app/log.server.ts";
import { clientAddress, limitKey } from "../request/client-address.server.ts";
import { contextOf } from "../request/request-context.server.ts";
import { admitVideo, PAUSE_MS, type VideoForm, type VideoRefusal } from "../server/sent-videos.server.ts";

/** A video that is opened and left at once takes no slot. */
const PLAYING_AFTER_MS = 10_000;
/** At half speed a segment comes every 8 s, and another video may take the slot after 15 s. */
const RENEW_AFTER_MS = 6_000;
const FORGOTTEN_AFTER_MS = 30_000;
const MAX_PLAYING = 20_000;

export interface RunningVideo {
  /** False when the viewer's other videos have taken the slot. */
  keepSlot: () => Promise<boolean>;
  end: () => Promise<void>;
}

interface Playing {
  firstAt: number;
  /** Null without a slot. */
  renewedAt: number | null;
}

/**
 * Needed because a player in closed ranges has no connection that could hold its slot: decision 143. All sizes and audio tracks
 * of an item are one video.
 */
const playing = new LRUCache<string, Playing>({
  max: MAX_PLAYING,
  ttl: FORGOTTEN_AFTER_MS,
  updateAgeOnGet: true,
});

/** Null when nginx sends it. */
export async function startSending(
  request: Request,
  viewer: Viewer,
  { form, isSentHere, item }: { form: VideoForm; isSentHere: boolean; item: string },
): Promise<RunningVideo | VideoRefusal | null> {
  const holder = holderOf(request, viewer);
  if (form === "part" && !(await holdSlotForPart(holder, viewer, item))) return { status: 429 };
  if (!isSentHere) return null;
  // Parts hold their slot between requests, and downloads need none.
  const leaseId = form === "playback" ? newLease() : null;
  if (leaseId !== null && !(await isHeldOrUncounted(() => takeSlot(holder, leaseId)))) return { status: 429 };
  return send(request, viewer, { holder, leaseId, form });
}

/**
 * A member's resumed download takes over the slot of the same set, because the site may not know yet that the former connection
 * is lost. Strangers behind one address never take over, nor do two sets, which would end each other again and again.
 */
export async function startArchive(
  request: Request,
  viewer: Viewer,
  { item, isResumed }: { item: string; isResumed: boolean },
): Promise<RunningVideo | VideoRefusal> {
  const holder = { id: leaseFor(`archive ${holderOf(request, viewer).id}`), maxSlots: 1, sent: item };
  const leaseId = newLease();
  const take = isResumed && viewer.user !== null ? takeOverSlot : takeSlot;
  if (!(await isHeldOrUncounted(() => take(holder, leaseId)))) return { status: 429 };
  return send(request, viewer, { holder, leaseId, form: "playback" });
}

function send(
  request: Request,
  viewer: Viewer,
  { holder, leaseId, form }: { holder: SlotHolder; leaseId: string | null; form: VideoForm },
): RunningVideo | VideoRefusal {
  const context = contextOf(request);
  const isSignedIn = viewer.user !== null;
  const sending = admitVideo({
    holderId: holder.id,
    maxOfForm: holder.maxSlots,
    form,
    isSignedIn,
    close: () => context?.response.destroy(),
  });
  if ("status" in sending) {
    void free(holder, leaseId);
    return sending;
  }
  if (context) context.pauseMs = isSignedIn ? PAUSE_MS.member : PAUSE_MS.signedOut;
  let isEnded = false;
  return {
    async keepSlot() {
      sending.renew();
      if (leaseId === null || isEnded) return true;
      const isKept = await isHeldOrUncounted(() => keepSlot(holder, leaseId));
      // The video may have ended while the statement took the slot again.
      if (!isEnded) return isKept;
      await free(holder, leaseId);
      return true;
    },
    async end() {
      isEnded = true;
      sending.end();
      await free(holder, leaseId);
    },
  };
}

/** False when the viewer's slots are taken. */
async function holdSlotForPart(holder: SlotHolder, { session }: Viewer, item: string): Promise<boolean> {
  const key = `${holder.id} ${session?.sessionId ?? ""} ${item}`;
  const now = performance.now();
  const video = playing.get(key) ?? { firstAt: now, renewedAt: null };
  playing.set(key, video);
  if (now - video.firstAt < PLAYING_AFTER_MS) return true;
  if (video.renewedAt !== null && now - video.renewedAt < RENEW_AFTER_MS) return true;
  // Set before the statement, so that two parts at once take one slot.
  video.renewedAt = now;
  const isPlaying = await isHeldOrUncounted(() => keepSlot(holder, leaseFor(key)));
  if (!isPlaying) video.renewedAt = null;
  return isPlaying;
}

function holderOf(request: Request, { user }: Viewer): SlotHolder {
  return user ? memberHolder(user.id) : addressHolder(limitKey(clientAddress(request)));
}

/** True also while the database cannot write: a subscriber keeps watching, uncounted. */
async function isHeldOrUncounted(hold: () => Promise<boolean>): Promise<boolean> {
  try {
    return await hold();
  } catch (error) {
    log.warn({ err: error }, "a video is not counted");
    return true;
  }
}

async function free(holder: SlotHolder, leaseId: string | null): Promise<void> {
  if (leaseId === null) return;
  await freeSlot(holder, leaseId).catch((error: unknown) => log.warn({ err: error }, "a slot stays taken"));
}
