// Needed because a browser freezes without any event when requests of a video fail: decision 168.
import { REFUSED, readSiteAnswer, sentenceOf } from "./site-answer.ts";
import { hasFailed, play, WANTED } from "./video-element.ts";
import type { WayOfPlaying } from "./way-of-playing.ts";

const LOOKS_EVERY_MS = 500;
const JUST_NOW_MS = 1_000;
const FROZEN_MS = 3_000;
/** A reloaded video resumes slightly elsewhere, and a slow one may play half a second within almost FROZEN_MS. */
const MOVED_SECONDS = 0.2;
const MAX_WAIT_SECONDS = 8;

const DAMAGED = "This browser cannot play this part of the video. Choose another part or size.";
/** After more, a part that cannot be decoded is damaged. */
const MAX_DAMAGED_LOADS = 3;
const SAME_PART_SECONDS = 1;
const STOPPED = "The video stopped loading. Trying again…";

export interface Watchdog {
  tryAgain: () => void;
  failed: () => void;
  end: () => void;
}

interface Owner {
  say: (sentence: string | null) => void;
  onRefusal: () => void;
}

export function watchOver(
  player: HTMLVideoElement,
  way: () => WayOfPlaying,
  { say, onRefusal }: Owner,
): Watchdog {
  const ending = new AbortController();
  const { signal } = ending;
  let seen = { time: player.currentTime, bytes: way().loadedBytes(), at: performance.now() };
  let round: AbortController | null = null;
  let wake = () => {};
  let isRefused = false;
  let hasReportedRefusal = false;
  /** Chromium pauses a failed video. */
  let isWanted = false;
  let paused = { at: Number.NEGATIVE_INFINITY, byFailure: false };
  /** Tries of which the viewer sees nothing, because loaded parts still play. */
  let quiet = { tries: 0, timer: setTimeout(() => {}) };
  let bytesCameAt = Number.NEGATIVE_INFINITY;
  let damaged = { time: Number.NEGATIVE_INFINITY, loads: 0 };

  const markSeen = () => {
    seen = { time: player.currentTime, bytes: way().loadedBytes(), at: performance.now() };
  };
  const hasMoved = () => Math.abs(player.currentTime - seen.time) > MOVED_SECONDS;
  const look = () => {
    const isLoading = way().loadedBytes() !== seen.bytes;
    if (isLoading) {
      seen.bytes = way().loadedBytes();
      bytesCameAt = performance.now();
    }
    if (round !== null) {
      if (!player.paused && hasMoved()) goOn();
      return;
    }
    if (isLoading) quiet.tries = 0;
    if (hasMoved()) isRefused = false;
    if (player.paused || player.ended || hasMoved() || isLoading) markSeen();
    else if (performance.now() - seen.at >= FROZEN_MS) void bringBack();
  };

  const bringBack = async () => {
    if (round !== null || isRefused) return;
    const own = new AbortController();
    round = own;
    const wasJustPaused = paused.byFailure || performance.now() - paused.at < JUST_NOW_MS;
    isWanted ||= !player.paused || (hasFailed(player) && wasJustPaused);
    markSeen();
    let wasUnreachable = false;
    for (let tries = 0; ; tries += 1) {
      const answer = await readSiteAnswer(player, way().probe(), signal);
      if (own.signal.aborted || signal.aborted) return;
      const isFine = answer.kind === "fine";
      if (isFine) hasReportedRefusal = false;
      const isNeeded = isWanted || hasFailed(player);
      if (isFine && isDamagedAgain()) {
        say(DAMAGED);
        isRefused = true;
        way().stopLoading();
        showPage();
        break;
      }
      if (answer.kind === "refused" || (isFine && tries > 0 && !isNeeded)) {
        say(isFine ? null : answer.sentence);
        isRefused = !isFine;
        // A paused video needs no part now, and the reloaded one may be damaged.
        if (!isFine) {
          way().stopLoading();
          showPage();
          if (answer.sentence === REFUSED && !hasReportedRefusal) onRefusal();
          hasReportedRefusal = true;
        } else if (wasUnreachable) way().loadAgain();
        break;
      }
      wasUnreachable = !isFine;
      if (!isFine || tries > 0) say(isFine ? STOPPED : sentenceOf(answer.sentence, isWanted));
      if (isFine) {
        way().loadAgain();
        if (isWanted) play(player);
      }
      await waitFor(reloadDelayMs(tries));
      // Reloading would discard what a slow network has brought.
      for (
        let ms = stillLoadingMs();
        ms > 0 && !own.signal.aborted && !signal.aborted;
        ms = stillLoadingMs()
      ) {
        await waitFor(ms);
      }
      if (own.signal.aborted || signal.aborted) return;
      markSeen();
    }
    round = null;
    markSeen();
  };
  /** The native full screen hides the page. */
  const showPage = () => {
    if (document.fullscreenElement === player) void document.exitFullscreen().catch(() => {});
  };
  const waitFor = (ms: number) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, ms);
    });
  const stillLoadingMs = () => (hasFailed(player) ? 0 : bytesCameAt + FROZEN_MS - performance.now());
  const isDamagedAgain = () => {
    if (!way().isDamaged()) return false;
    const isSame = Math.abs(player.currentTime - damaged.time) < SAME_PART_SECONDS;
    damaged = { time: player.currentTime, loads: isSame ? damaged.loads + 1 : 1 };
    return damaged.loads > MAX_DAMAGED_LOADS;
  };
  const goOn = () => {
    round?.abort();
    round = null;
    say(null);
    markSeen();
  };
  const onRequest = () => {
    const wasRefused = isRefused;
    isRefused = false;
    // Loading has stopped, so the site is asked at once.
    if (wasRefused) void bringBack();
  };
  const loadQuietly = async () => {
    const answer = await readSiteAnswer(player, way().probe(), signal);
    // If refused, the loaded part plays to its end, and then the page says why nothing follows.
    if (!signal.aborted && round === null && answer.kind !== "refused") way().loadAgain();
  };
  const onFailure = () => {
    if (hasFailed(player)) void bringBack();
  };

  const timer = setInterval(look, LOOKS_EVERY_MS);
  // The source may have failed before the scripts loaded. A new player has not chosen one yet.
  const first = setTimeout(onFailure);
  player.addEventListener(
    "pause",
    () => {
      paused = { at: performance.now(), byFailure: hasFailed(player) };
      if (!paused.byFailure) isWanted = false;
    },
    { signal },
  );
  // Errors of <source> do not bubble.
  player.addEventListener("error", onFailure, { capture: true, signal });
  player.addEventListener(
    WANTED,
    () => {
      isWanted = true;
      onRequest();
      onFailure();
    },
    { signal },
  );
  player.addEventListener("play", onRequest, { signal });
  player.addEventListener("seeking", onRequest, { signal });
  player.addEventListener("playing", () => round === null && say(null), { signal });
  player.addEventListener("loadedmetadata", () => round === null && say(null), { signal });
  // The event does not say how much has come.
  player.addEventListener(
    "progress",
    () => {
      if (way().loadedBytes() !== null) return;
      bytesCameAt = performance.now();
      if (round === null) markSeen();
    },
    { signal },
  );
  window.addEventListener("online", () => wake(), { signal });

  return {
    tryAgain() {
      isRefused = false;
      goOn();
      way().loadAgain();
      if (isWanted) play(player);
    },
    failed() {
      const isPlaying = !player.paused && player.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA;
      if (!isPlaying) return void bringBack();
      clearTimeout(quiet.timer);
      quiet = {
        tries: quiet.tries + 1,
        timer: setTimeout(() => void loadQuietly(), reloadDelayMs(quiet.tries)),
      };
    },
    end() {
      ending.abort();
      wake();
      clearInterval(timer);
      clearTimeout(first);
      clearTimeout(quiet.timer);
    },
  };
}

function reloadDelayMs(tries: number): number {
  return Math.min(2 ** tries, MAX_WAIT_SECONDS) * 1000;
}
