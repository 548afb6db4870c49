import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { untilSiteAnswers } from "#app/ui/parts/retry-delay.ts";
import type { ReceivedEvent } from "./live-connection.ts";
import { shareLiveConnection } from "./share-connection.ts";

/** A video on another device saves its progress every ten seconds. */
const PROGRESS_EVERY_MS = 30_000;
const SOON_MS = 200;
/** All browsers may learn of a gap at once. */
const GAP_SPREAD_MS = 5_000;

/** A window event with the ReceivedEvent as its detail, for parts of a page that load their own data. */
export const LIVE_EVENT_NAME = "live";

export function LiveUpdates() {
  const { revalidate, state } = useRevalidator();
  const isLoading = useNavigation().state !== "idle" || state !== "idle";
  const reloader = useRef<ReturnType<typeof createReloader>>(undefined);

  useEffect(() => {
    const created = createReloader(revalidate);
    reloader.current = created;
    const stop = shareLiveConnection((event) => {
      window.dispatchEvent(new CustomEvent(LIVE_EVENT_NAME, { detail: event }));
      // A page that shows encoding loads that part alone.
      if (event.kind !== "encoding") created.heard(event);
    });
    return () => {
      stop();
      created.stop();
    };
  }, [revalidate]);
  // After each rendering: the beginning and the end of a load may be rendered together.
  useEffect(() => reloader.current?.setLoading(isLoading));

  return null;
}

function createReloader(reload: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let isLoading = false;
  let isWaiting = false;
  const listening = new AbortController();

  // A hidden page reloads when somebody looks at it again. Restarting a load under way might never let it end on a slow network.
  const mayReload = () => document.visibilityState !== "hidden" && !isLoading && !isWaiting;
  const reloadNow = async () => {
    if (!mayReload()) return;
    isWaiting = true;
    await untilSiteAnswers(listening.signal);
    isWaiting = false;
    if (listening.signal.aborted || !mayReload()) return;
    dueAt = Number.POSITIVE_INFINITY;
    fetchedAt = performance.now();
    // A busy browser may render the beginning of the load later.
    isLoading = true;
    reload();
  };
  const reloadIfDue = () => {
    if (performance.now() >= dueAt) void reloadNow();
  };
  document.addEventListener("visibilitychange", reloadIfDue, { signal: listening.signal });
  return {
    heard(event: ReceivedEvent) {
      const wanted = performance.now() + delayMs(event, fetchedAt);
      if (wanted >= dueAt) return;
      dueAt = wanted;
      clearTimeout(timer);
      timer = setTimeout(() => void reloadNow(), wanted - performance.now());
    },
    setLoading(loads: boolean) {
      isLoading = loads;
      reloadIfDue();
    },
    stop() {
      clearTimeout(timer);
      listening.abort();
    },
  };
}

function delayMs({ kind }: ReceivedEvent, fetchedAt: number): number {
  if (kind === "gap") return Math.random() * GAP_SPREAD_MS;
  if (kind !== "progress") return SOON_MS;
  return Math.max(SOON_MS, fetchedAt + PROGRESS_EVERY_MS - performance.now());
}
