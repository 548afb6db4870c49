import { paths } from "#app/paths.ts";
import { MAX_RETRIES, pause, waitMs } from "#app/ui/back-off.ts";
import { UNSENT_PREFIX } from "./unsent-places.ts";

/** Whose place of what, and the server's time when the page was made. */
export interface PlaceSubject {
  mediaId: string;
  viewerId: string;
  /** Milliseconds since 1970. */
  serverNow: number;
}

interface Unsent {
  progress: number;
  sequence: number;
}

export interface PlaceReporter {
  /** Sends the place now and, when that fails, again and again. Only the newest is kept. */
  report(progress: number): void;
  /** For the last moment of a page: handed to the browser, which sends it after the page is gone. */
  leave(progress: number): void;
  stop(): void;
}

/**
 * Counts in the server's time, so that a wrong clock puts nothing in the wrong order. What could not be sent waits in the
 * tab's own storage and goes out when the work is opened again.
 */
export function placeReporter({ mediaId, viewerId, serverNow }: PlaceSubject): PlaceReporter {
  const key = `${UNSENT_PREFIX}${viewerId}:${mediaId}`;
  const openedAt = performance.now();
  const ending = new AbortController();
  let unsent = readUnsent(key);
  let isSending = false;
  let handedOver = 0;

  const drop = () => {
    unsent = null;
    writeUnsent(key, null);
  };
  const keep = (progress: number) => {
    unsent = { progress, sequence: Math.round(serverNow + performance.now() - openedAt) };
    writeUnsent(key, unsent);
    return unsent;
  };
  const send = async () => {
    if (isSending) return;
    isSending = true;
    for (let retry = 0; unsent && !ending.signal.aborted && retry <= MAX_RETRIES; ) {
      const sent: Unsent = unsent;
      const response = await post(mediaId, sent);
      const isFinal = response !== null && response.status < 500 && response.status !== 429;
      const newest = unsent?.sequence;
      if (isFinal && (newest === sent.sequence || newest === handedOver)) drop();
      if (isFinal) retry = 0;
      else await pause(waitMs(retry++, response), ending.signal);
    }
    isSending = false;
  };

  void send();
  return {
    report(progress) {
      keep(progress);
      void send();
    },
    leave(progress) {
      const isOwing = unsent !== null;
      const place = keep(progress);
      if (!navigator.sendBeacon(paths.api.views(), bodyOf(mediaId, place))) return void send();
      handedOver = place.sequence;
      // A browser accepts it without a network too: while an earlier one is on its way or has failed, this one waits for that.
      if (!isOwing) drop();
    },
    stop: () => ending.abort(),
  };
}

function bodyOf(mediaId: string, { progress, sequence }: Unsent): URLSearchParams {
  return new URLSearchParams({ mediaId, progress: progress.toFixed(1), sequence: String(sequence) });
}

/** Null when the server did not answer. A redirect means that the session is over: as final as a refusal. */
async function post(mediaId: string, place: Unsent): Promise<Response | null> {
  try {
    const response = await fetch(paths.api.views(), {
      method: "POST",
      body: bodyOf(mediaId, place),
      redirect: "manual",
      keepalive: true,
    });
    return response;
  } catch {
    return null;
  }
}

function readUnsent(key: string): Unsent | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null") as Unsent | null;
  } catch {
    return null;
  }
}

/** A browser that keeps nothing still sends. */
function writeUnsent(key: string, place: Unsent | null): void {
  try {
    if (place) sessionStorage.setItem(key, JSON.stringify(place));
    else sessionStorage.removeItem(key);
  } catch {}
}
