// Needed because EventSource does not notice a dead connection and gives up at a refusal: decision 106.
import { paths } from "#app/paths.ts";
import { MAX_RETRIES, pause, waitMs } from "#app/ui/parts/retry-delay.ts";

/** "gap": changes may have been missed. "ended": the session is over. */
export interface LiveEvent {
  kind: "progress" | "favorite" | "encoding" | "access" | "gap" | "ended";
  mediaId?: string;
}

/** From the specification: a heartbeat every 30,000 ms, and a connection without one for 10,000 ms more is lost. */
const LOST_AFTER_MS = 30_000 + 10_000;

/** "refused": the server answered without events, perhaps because the session is over. */
type Outcome = "lost" | "refused" | "finished";

/** Resolves when there is nothing more to follow: aborted, signed out or replaced; "failed" after too many tries. */
export async function followLiveEvents(
  announce: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<"finished" | "failed"> {
  let retry = 0;
  let hasBeenOpen = false;
  const opened = () => {
    if (hasBeenOpen) announce({ kind: "gap" });
    hasBeenOpen = true;
  };
  const proven = () => {
    retry = 0;
  };
  for (;;) {
    const outcome = await connectOnce({ announce, opened, proven, signal });
    if (outcome === "finished" || signal.aborted) return "finished";
    if (retry === MAX_RETRIES) return "failed";
    if (outcome === "refused" && retry === 0) announce({ kind: "gap" });
    await pause(waitMs(retry++, null), signal);
    if (signal.aborted) return "finished";
  }
}

interface Following {
  announce: (event: LiveEvent) => void;
  opened: () => void;
  /** A heartbeat came, so the next loss is a new one. */
  proven: () => void;
  signal: AbortSignal;
}

function connectOnce({ announce, opened, proven, signal }: Following): Promise<Outcome> {
  return new Promise((resolve) => {
    const source = new EventSource(paths.api.live());
    let isProven = false;
    let timer = setTimeout(lose, LOST_AFTER_MS);
    signal.addEventListener("abort", finish);
    source.onopen = () => {
      watch();
      opened();
    };
    source.onerror = () => {
      // The browser connects again by itself once, after the time that a stopping server asked for.
      if (isProven && source.readyState === EventSource.CONNECTING) isProven = false;
      else close(source.readyState === EventSource.CLOSED ? "refused" : "lost");
    };
    source.addEventListener("heartbeat", () => {
      watch();
      isProven = true;
      proven();
    });
    source.addEventListener("changed", ({ data }) => announce(JSON.parse(data) as LiveEvent));
    source.addEventListener("ended", () => {
      finish();
      announce({ kind: "ended" });
    });
    source.addEventListener("replaced", finish);

    function watch(): void {
      clearTimeout(timer);
      timer = setTimeout(lose, LOST_AFTER_MS);
    }
    function close(outcome: Outcome): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      source.close();
      resolve(outcome);
    }
    function lose(): void {
      close("lost");
    }
    function finish(): void {
      close("finished");
    }
  });
}
