import { type RefObject, useEffect } from "react";
import { paths } from "#app/paths.ts";
import { type ProgressSubject, pageMoment, progressReporter } from "../progress/send-progress.ts";
import { forgetInAddress } from "./address.ts";
import { seek } from "./video-element.ts";

const EVERY_MS = 10_000;
const MOVED_SECONDS = 1;
/** Early, so that a short view is saved too. */
const FIRST_AFTER_MS = 2_000;

const START_OVER = paths.api.viewsAction("start-over");

export function useProgressReports(
  video: RefObject<HTMLVideoElement>,
  progressSubject: ProgressSubject | null,
): void {
  const mediaId = progressSubject?.mediaId;
  const viewerId = progressSubject?.viewerId;
  const serverNow = progressSubject?.serverNow;

  useEffect(() => {
    const player = video.current;
    if (!player || !mediaId || !viewerId || serverNow === undefined) return;
    const listening = new AbortController();
    const { signal } = listening;
    // Playback may have started before the scripts loaded.
    let hasPlayed = player.played.length > 0;
    let rescued: number | null = null;
    const reporter = progressReporter({ mediaId, viewerId, serverNow }, pageMoment(), {
      onRescued(progress) {
        const isRequested = new URL(window.location.href).searchParams.has("t");
        const hasMoved = rescued !== null && Math.abs(player.currentTime - rescued) > MOVED_SECONDS;
        if (signal.aborted || hasPlayed || !player.paused || hasMoved || isRequested) return;
        rescued = progress;
        seek(player, progress);
      },
      // After a reload the address would override the newer position.
      onSaved: () => signal.aborted || forgetInAddress("t"),
    });
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
        if (!(target instanceof HTMLFormElement && target.action.endsWith(START_OVER))) return;
        // A later report would undo "Start over".
        hasPlayed = false;
        listening.abort();
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
