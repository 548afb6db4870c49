import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import type { LiveEvent } from "./live-connection.ts";
import { shareLiveConnection } from "./share-connection.ts";

/** A video on another device saves its progress every ten seconds. */
const PROGRESS_EVERY_MS = 30_000;
const SOON_MS = 200;
/** All browsers may learn of a gap at the same time. */
export const GAP_SPREAD_MS = 5_000;

/** Loads the page's data again after a change on another device. Renders nothing. */
export function LiveUpdates() {
  const { revalidate } = useRevalidator();

  useEffect(() => {
    const reader = createReader(revalidate);
    const stop = shareLiveConnection(reader.heard);
    return () => {
      stop();
      reader.stop();
    };
  }, [revalidate]);

  return null;
}

function createReader(read: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  const listening = new AbortController();

  const readNow = () => {
    // A hidden page reads when somebody looks at it again.
    if (document.visibilityState === "hidden") return;
    dueAt = Number.POSITIVE_INFINITY;
    fetchedAt = performance.now();
    read();
  };
  document.addEventListener(
    "visibilitychange",
    () => {
      if (performance.now() >= dueAt) readNow();
    },
    { signal: listening.signal },
  );
  return {
    heard(event: LiveEvent) {
      const wanted = performance.now() + delayMs(event, fetchedAt);
      if (wanted >= dueAt) return;
      dueAt = wanted;
      clearTimeout(timer);
      timer = setTimeout(readNow, wanted - performance.now());
    },
    stop() {
      clearTimeout(timer);
      listening.abort();
    },
  };
}

function delayMs({ kind }: LiveEvent, fetchedAt: number): number {
  if (kind === "gap") return Math.random() * GAP_SPREAD_MS;
  if (kind !== "progress") return SOON_MS;
  return Math.max(SOON_MS, fetchedAt + PROGRESS_EVERY_MS - performance.now());
}
