// Needed because a browser freezes without any event when requests of a video fail: decision 168.
import { REFUSED, readSiteAnswer, sentenceOf } from "./site-answer.ts";
import { hasFailed, WANTED } from "./video-element.ts";
import type { WayOfPlaying } from "./way-of-playing.ts";

const LOOKS_EVERY_MS = 500;
const JUST_NOW_MS = 1_000;
const FROZEN_MS = 3_000;
/**
 * Less is no movement: a video that is loaded again lands a little beside where it was. A slow video needs two seconds for the
 * half second of `send-progress`, almost as long as a frozen one is waited for.
 */
const MOVED_SECONDS = 0.2;
const MAX_WAIT_SECONDS = 8;

const DAMAGED = "This browser cannot play this part of the video. Choose another part or size.";
/** So many loads of one part that cannot be decoded are no accident. */
const MAX_DAMAGED_LOADS = 3;
/** A part that cannot be decoded is met again within this. */
const SAME_PART_SECONDS = 1;
const STOPPED = "This video stopped loading. It is being loaded again.";

export interface Watchdog {
  /** Goes on at once, and looks again for as long as it takes. */
  tryAgain: () => void;
  /** The way of playing has given up by itself. */
  failed: () => void;
  end: () => void;
}

interface Owner {
  /** Gets the sentence that people read while a video does not go on; null when it does. */
  say: (sentence: string | null) => void;
  /** The site no longer sends the video; the page may know why. */
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
  /** Ends the round that tries to bring the video back; null while there is none. */
  let round: AbortController | null = null;
  let wake = () => {};
  /** The site has refused it: trying again by itself would not help. */
  let isRefused = false;
  /** Since the last answer that was fine. */
  let hasReportedRefusal = false;
  /** The viewer wants it to play. Chromium pauses a video that has failed. */
  let isWanted = false;
  let paused = { at: Number.NEGATIVE_INFINITY, byFailure: false };
  /** Tries while the video still plays what it has loaded. */
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
        // A paused video does not need what the try before has loaded again, which may be damaged.
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
        if (isWanted) void player.play().catch(() => {});
      }
      await waitFor(reloadDelayMs(tries));
      // To load again would throw away what a slow network has brought.
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
  /** Nothing of the page is shown beside a video that is full screen by its own button. */
  const showPage = () => {
    if (document.fullscreenElement === player) void document.exitFullscreen().catch(() => {});
  };
  const waitFor = (ms: number) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, ms);
    });
  const stillLoadingMs = () => (hasFailed(player) ? 0 : bytesCameAt + FROZEN_MS - performance.now());
  /** Counts a load whose bytes could not be decoded. */
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
    // Nothing is loaded any more, so the site is asked at once.
    if (wasRefused) void bringBack();
  };
  const loadQuietly = async () => {
    const answer = await readSiteAnswer(player, way().probe(), signal);
    // The loaded part plays to its end. The page then says why nothing follows.
    if (!signal.aborted && round === null && answer.kind !== "refused") way().loadAgain();
  };
  const onFailure = () => {
    if (hasFailed(player)) void bringBack();
  };

  const timer = setInterval(look, LOOKS_EVERY_MS);
  // The source may have failed before the scripts loaded. A player that was just added has not chosen one yet.
  const first = setTimeout(onFailure);
  player.addEventListener(
    "pause",
    () => {
      paused = { at: performance.now(), byFailure: hasFailed(player) };
      if (!paused.byFailure) isWanted = false;
    },
    { signal },
  );
  // Errors of <source> elements do not bubble.
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
  // The event says only that some bytes have come.
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
      if (isWanted) void player.play().catch(() => {});
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

/** 1, 2, 4 and then always 8 seconds. */
function reloadDelayMs(tries: number): number {
  return Math.min(2 ** tries, MAX_WAIT_SECONDS) * 1000;
}
