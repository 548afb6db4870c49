// Needed because EventSource does not notice a dead connection and stops at a refusal: decision 106.
import { HEARTBEAT_SECONDS } from "#app/heartbeat.ts";
import type { LiveEvent, SentEventName } from "#app/live-events.ts";
import { paths } from "#app/paths.ts";
import { MAX_RETRIES, pause, waitMs } from "#app/ui/parts/retry-delay.ts";

export type ReceivedEvent = LiveEvent | { kind: "ended"; mediaId?: undefined };

/** From the specification: lost ten seconds after a missed heartbeat. */
const LOST_AFTER_MS = (HEARTBEAT_SECONDS + 10) * 1_000;

/** "refused": the server answered without events, for example because the session is over. */
type Outcome = "lost" | "refused" | "finished";

/** "finished": aborted, signed out or replaced. "failed": too many tries. */
export async function followLiveEvents(
  onEvent: (event: ReceivedEvent) => void,
  signal: AbortSignal,
): Promise<"finished" | "failed"> {
  let retry = 0;
  let hasBeenOpen = false;
  const onOpen = () => {
    if (hasBeenOpen) onEvent({ kind: "gap" });
    hasBeenOpen = true;
  };
  const onHeartbeat = () => {
    retry = 0;
  };
  for (;;) {
    const outcome = await connectOnce({ onEvent, onOpen, onHeartbeat, signal });
    if (outcome === "finished" || signal.aborted) return "finished";
    if (retry === MAX_RETRIES) return "failed";
    if (outcome === "refused" && retry === 0) onEvent({ kind: "gap" });
    await pause(waitMs(retry++, null), signal);
    if (signal.aborted) return "finished";
  }
}

interface Following {
  onEvent: (event: ReceivedEvent) => void;
  onOpen: () => void;
  onHeartbeat: () => void;
  signal: AbortSignal;
}

function connectOnce({ onEvent, onOpen, onHeartbeat, signal }: Following): Promise<Outcome> {
  return new Promise((resolve) => {
    const source = new EventSource(paths.api.live());
    let isProven = false;
    let timer = setTimeout(lose, LOST_AFTER_MS);
    signal.addEventListener("abort", finish);
    const listen = (name: SentEventName, onSent: (event: MessageEvent<string>) => void) =>
      source.addEventListener(name, onSent);
    source.onopen = () => {
      watch();
      onOpen();
    };
    source.onerror = () => {
      // The browser reconnects by itself once, after the time that a stopping server asked for.
      if (isProven && source.readyState === EventSource.CONNECTING) isProven = false;
      else close(source.readyState === EventSource.CLOSED ? "refused" : "lost");
    };
    listen("heartbeat", () => {
      watch();
      isProven = true;
      onHeartbeat();
    });
    listen("changed", ({ data }) => onEvent(JSON.parse(data) as LiveEvent));
    listen("ended", () => {
      finish();
      onEvent({ kind: "ended" });
    });
    listen("replaced", finish);

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
