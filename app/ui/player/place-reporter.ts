import { paths } from "#app/paths.ts";
import { MAX_RETRIES, pause, waitMs } from "#app/ui/back-off.ts";
import { placeSaved } from "./saved-places.ts";
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
  /** For a page that gives way to another one of this site: sends its last place, unless that is saved already. */
  end(progress?: number): void;
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
  let underWay: Unsent | null = null;
  let saved: number | null = null;

  /** What stands there may be of a later page with the same work. */
  const drop = () => {
    if (readUnsent(key)?.sequence === unsent?.sequence) writeUnsent(key, null);
    unsent = null;
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
      const response = await deliver(unsent);
      if (isFinal(response)) retry = 0;
      else await pause(waitMs(retry++, response), ending.signal);
    }
    isSending = false;
  };
  const deliver = async (place: Unsent) => {
    underWay = place;
    const response = await post(mediaId, place);
    underWay = null;
    const newest = unsent?.sequence;
    if (isFinal(response) && (newest === place.sequence || newest === handedOver)) drop();
    if (response?.ok) {
      saved = place.progress;
      placeSaved();
    }
    return response;
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
    end(progress) {
      ending.abort();
      const last = underWay?.progress ?? (unsent ? null : saved);
      if (progress !== undefined && progress !== last) void deliver(keep(progress));
    },
  };
}

function bodyOf(mediaId: string, { progress, sequence }: Unsent): URLSearchParams {
  return new URLSearchParams({ mediaId, progress: progress.toFixed(1), sequence: String(sequence) });
}

function isFinal(response: Response | null): boolean {
  return response !== null && response.status < 500 && response.status !== 429;
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
