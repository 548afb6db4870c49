/** Videos that a process sends at a time. Each holds an open file and up to some hundred KB of buffers. */
export const MAX_VIDEOS = 500;
/** The remaining places are reserved for members. */
export const MAX_SIGNED_OUT_VIDEOS = 250;
/** A video that is read is renewed every five seconds. */
const STALLED_AFTER_MS = 15_000;

interface VideoToSend {
  /** The viewer's, who may play `maxSlots` at a time. */
  id: string;
  maxSlots: number;
  isSignedIn: boolean;
  close: () => void;
}

export interface SentVideo {
  renew: () => void;
  end: () => void;
}

const sent = new Map<VideoToSend, { renewedAt: number }>();

/**
 * Null when the process sends as many as it can. A stalled video holds its file although it has lost its slot, so a new
 * one closes the viewer's own, or another viewer's when the process is full.
 */
export function admitVideo(video: VideoToSend): SentVideo | null {
  const own = listSent(({ id }) => id === video.id);
  if (own.length >= video.maxSlots) closeLongestStalled(own);
  const signedOut = listSent(({ isSignedIn }) => !isSignedIn);
  const isFull = sent.size >= MAX_VIDEOS;
  if (isFull || (!video.isSignedIn && signedOut.length >= MAX_SIGNED_OUT_VIDEOS)) {
    const others = isFull && video.isSignedIn ? listSent() : signedOut;
    if (!closeLongestStalled(others.filter(isStalled))) return null;
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
