// Needed because a browser opens six connections to a site, and each tab would hold one: decision 106.
import { followLiveEvents, type ReceivedEvent } from "./live-connection.ts";

const CHANNEL = "live";
/** A hidden page needs no news, and a phone that freezes it would keep the connection from other tabs. */
const HIDDEN_FOR_MS = 60_000;
/** A free lock is granted at once. */
const TAKEOVER_AFTER_MS = 1_000;

/** The tab with the lock holds the browser's one connection. Plain http has no locks, so it has no live updates. */
export function shareLiveConnection(onEvent: (event: ReceivedEvent) => void): () => void {
  if (!("locks" in navigator)) return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<ReceivedEvent>) => onEvent(data);
  const sendToAllTabs = (event: ReceivedEvent) => {
    channel.postMessage(event);
    onEvent(event);
  };
  const listening = new AbortController();
  const { signal } = listening;
  let connection: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const leave = () => {
    clearTimeout(timer);
    connection?.abort();
    connection = null;
  };
  const join = () => {
    clearTimeout(timer);
    if (connection !== null) return false;
    const joined = new AbortController();
    connection = joined;
    void holdConnection(sendToAllTabs, joined.signal).then(() => {
      // After a failure the page tries again when somebody comes back to it.
      if (connection === joined) connection = null;
    });
    return true;
  };
  const joinAgain = () => {
    if (join()) onEvent({ kind: "gap" });
  };
  document.addEventListener(
    "visibilitychange",
    () => {
      clearTimeout(timer);
      if (document.visibilityState === "hidden") timer = setTimeout(leave, HIDDEN_FOR_MS);
      else joinAgain();
    },
    { signal },
  );
  // The back/forward cache refuses pages with an open connection or a lock.
  window.addEventListener("pagehide", leave, { signal });
  window.addEventListener("pageshow", ({ persisted }) => persisted && joinAgain(), { signal });
  if (document.visibilityState === "visible") join();

  return () => {
    listening.abort();
    leave();
    channel.close();
  };
}

/** Keeps the lock after a sign-out or a replacement, which concern every tab. Passes it on after too many tries. */
async function holdConnection(onEvent: (event: ReceivedEvent) => void, signal: AbortSignal): Promise<void> {
  const requestedAt = performance.now();
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  try {
    await navigator.locks.request(CHANNEL, { signal }, async () => {
      // Changes may have been missed since another tab let go of the lock.
      if (performance.now() - requestedAt > TAKEOVER_AFTER_MS) onEvent({ kind: "gap" });
      if ((await followLiveEvents(onEvent, signal)) === "finished") await aborted;
    });
  } catch {
    // Aborted while it waited.
  }
}
