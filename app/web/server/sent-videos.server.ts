// Needed because a stalled video holds an open file, and players stall for minutes: docs/limits.md.
/** Videos that a process sends at a time. Each holds an open file and up to some hundred KB of buffers. */
export const MAX_VIDEOS = 500;
/** The rest is reserved for members. */
export const MAX_SIGNED_OUT_VIDEOS = 250;
/** A video that is read is renewed every five seconds. */
const STALLED_AFTER_MS = 15_000;

export interface VideoToSend {
  /** The viewer's. */
  id: string;
  /** How many of this form the viewer may have in this process. */
  maxSlots: number;
  /** A playback makes way for the viewer's next one when it has stalled. A download or a part goes to its end. */
  form: "playback" | "part" | "download";
  isSignedIn: boolean;
  close: () => void;
}

export interface SentVideo {
  renew: () => void;
  end: () => void;
}

const sent = new Map<VideoToSend, { renewedAt: number }>();

/**
 * 429: the viewer has as many parts or downloads as they may have; 503: the process sends as many videos as it can. A
 * stalled playback holds its file although it has lost its slot, so the viewer's next one closes it. In a full process, a
 * newcomer closes the video that has stalled longest; one who is signed out closes no member's.
 */
export function admitVideo(video: VideoToSend): SentVideo | { status: 429 | 503 } {
  const own = listSent(({ id, form }) => id === video.id && form === video.form);
  if (own.length >= video.maxSlots) {
    if (video.form !== "playback") return { status: 429 };
    closeLongestStalled(own);
  }
  const signedOut = listSent(({ isSignedIn }) => !isSignedIn);
  const isFull = sent.size >= MAX_VIDEOS;
  if (isFull || (!video.isSignedIn && signedOut.length >= MAX_SIGNED_OUT_VIDEOS)) {
    const others = isFull && video.isSignedIn ? listSent() : signedOut;
    if (!closeLongestStalled(others.filter(isStalled))) return { status: 503 };
  }
  const state = { renewedAt: performance.now() };
  sent.set(video, state);
  return {
    renew: () => {
      state.renewedAt = performance.now();
    },
    end: () => {
      sent.delete(video);
    },
  };
}

function listSent(isWanted: (video: VideoToSend) => boolean = () => true): VideoToSend[] {
  return [...sent.keys()].filter(isWanted);
}

function isStalled(video: VideoToSend): boolean {
  return performance.now() - renewedAt(video) > STALLED_AFTER_MS;
}

function renewedAt(video: VideoToSend): number {
  return sent.get(video)?.renewedAt ?? 0;
}

/** Forgets it at once: its response ends later, and the next video must close another. */
function closeLongestStalled(videos: VideoToSend[]): boolean {
  const [longest] = videos.sort((a, b) => renewedAt(a) - renewedAt(b));
  if (longest === undefined) return false;
  sent.delete(longest);
  longest.close();
  return true;
}
