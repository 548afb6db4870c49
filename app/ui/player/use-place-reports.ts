import { type RefObject, useEffect } from "react";
import { paths } from "#app/paths.ts";
import { type PlaceSubject, placeReporter } from "./place-reporter.ts";

const EVERY_MS = 10_000;
/** The first one is early, so that a short look is remembered too. */
const FIRST_AFTER_MS = 2_000;

const START_OVER = paths.api.viewsAction("start-over");

/** While a film plays, and whenever that stops, says where it is. Nothing for those without an account. */
export function usePlaceReports(video: RefObject<HTMLVideoElement>, subject: PlaceSubject | null): void {
  const mediaId = subject?.mediaId;
  const viewerId = subject?.viewerId;
  const serverNow = subject?.serverNow;

  useEffect(() => {
    const player = video.current;
    if (!player || !mediaId || !viewerId || serverNow === undefined) return;
    const reporter = placeReporter({ mediaId, viewerId, serverNow });
    const listening = new AbortController();
    const { signal } = listening;
    // The browser's own button plays before the scripts are there, too.
    let hasPlayed = player.played.length > 0;
    let nextAt = 0;

    const report = () => {
      if (!hasPlayed) return;
      nextAt = performance.now() + EVERY_MS;
      reporter.report(player.currentTime);
    };
    const leave = () => {
      if (hasPlayed) reporter.leave(player.currentTime);
    };
    player.addEventListener(
      "playing",
      () => {
        hasPlayed = true;
        nextAt ||= performance.now() + FIRST_AFTER_MS;
      },
      { signal },
    );
    player.addEventListener(
      "timeupdate",
      () => {
        if (!player.paused && performance.now() >= nextAt) report();
      },
      { signal },
    );
    player.addEventListener("pause", report, { signal });
    player.addEventListener("seeked", report, { signal });
    document.addEventListener(
      "submit",
      ({ target }) => {
        // What this page would still say on leaving is later than "Start over" and would undo it.
        if (target instanceof HTMLFormElement && target.action.endsWith(START_OVER)) hasPlayed = false;
      },
      { signal, capture: true },
    );
    window.addEventListener("pagehide", leave, { signal });
    document.addEventListener(
      "visibilitychange",
      () => {
        if (document.visibilityState === "hidden") leave();
      },
      { signal },
    );
    return () => {
      listening.abort();
      reporter.end(hasPlayed ? player.currentTime : undefined);
    };
  }, [video, mediaId, viewerId, serverNow]);
}
