// Needed because a stalled video holds an open file, and players stall for minutes: docs/limits.md.
/** Each holds an open file and up to some hundred KB of buffers. */
export const MAX_VIDEOS = 500;
/** The rest is reserved for members. */
export const MAX_SIGNED_OUT_VIDEOS = 250;
/** A paused player keeps its connection this long, and requests the rest when it resumes. */
export const PAUSE_MS = { member: 10 * 60_000, signedOut: 2 * 60_000 };
/** A video that is read is renewed every five seconds. */
const STALLED_AFTER_MS = 15_000;

/** `playback` ends with the access; `part`, a closed range no larger than a segment, and `download` are sent to their end. */
export type VideoForm = "playback" | "part" | "download";

/** 429: too many videos of this viewer. 503: too many of this process. */
export interface VideoRefusal {
  status: 429 | 503;
}

export interface VideoToSend {
  holderId: string;
  maxOfForm: number;
  form: VideoForm;
  isSignedIn: boolean;
  close: () => void;
}

export interface SendingVideo {
  renew: () => void;
  end: () => void;
}

const sending = new Map<VideoToSend, { renewedAt: number }>();

/**
 * A stalled playback holds its file although it has lost its slot, so the viewer's next one closes it. In a full process a
 * newcomer closes the longest stalled video, but a signed-out visitor never a member's.
 */
export function admitVideo(video: VideoToSend): SendingVideo | VideoRefusal {
  const own = listSending(({ holderId, form }) => holderId === video.holderId && form === video.form);
  if (own.length >= video.maxOfForm) {
    if (video.form !== "playback") return { status: 429 };
    closeLeastRecentlyRenewed(own);
  }
  const signedOut = listSending(({ isSignedIn }) => !isSignedIn);
  const isFull = sending.size >= MAX_VIDEOS;
  if (isFull || (!video.isSignedIn && signedOut.length >= MAX_SIGNED_OUT_VIDEOS)) {
    const others = isFull && video.isSignedIn ? listSending() : signedOut;
    if (!closeLeastRecentlyRenewed(others.filter(isStalled))) return { status: 503 };
  }
  const state = { renewedAt: performance.now() };
  sending.set(video, state);
  return {
    renew: () => {
      state.renewedAt = performance.now();
    },
    end: () => {
      sending.delete(video);
    },
  };
}

function listSending(isWanted: (video: VideoToSend) => boolean = () => true): VideoToSend[] {
  return [...sending.keys()].filter(isWanted);
}

function isStalled(video: VideoToSend): boolean {
  return performance.now() - renewedAt(video) > STALLED_AFTER_MS;
}

function renewedAt(video: VideoToSend): number {
  return sending.get(video)?.renewedAt ?? 0;
}

/** Removed before its response ends, so that the next video closes another. */
function closeLeastRecentlyRenewed(videos: VideoToSend[]): boolean {
  const [longest] = videos.sort((a, b) => renewedAt(a) - renewedAt(b));
  if (longest === undefined) return false;
  sending.delete(longest);
  longest.close();
  return true;
}
