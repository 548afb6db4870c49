// Needed because the page's MP4s play first and hls.js takes over later: decision 168.
import { type RefObject, useEffect, useRef, useState } from "react";
import { savesData } from "#app/ui/parts/saves-data.ts";
import { MAX_RETRIES, pause, waitMs } from "../parts/retry-delay.ts";
import { forgetInAddress } from "./address.ts";
import type { Preferences } from "./preferences.ts";
import { positionOf } from "./video-element.ts";
import { type Watchdog, watchOver } from "./watchdog.ts";
import { type Ladder, nativeHls, progressive, type Sound, type WayOfPlaying } from "./way-of-playing.ts";

/** At the latest so long after the page has loaded. */
const IDLE_WITHIN_MS = 2_000;
const MASTER_WITHIN_MS = 5_000;
/** A seek inside what is loaded waits less. */
const WAITS_FOR_MS = 300;

export interface Playback {
  /** Sizes that scripts can choose; empty where links choose one. */
  qualities: number[];
  /** The size that is shown; null as long as it is not known. */
  shownQuality: number | null;
  /** Null leaves it to the player. */
  chosenQuality: number | null;
  sounds: Sound[];
  /** The label of the one that plays. */
  chosenSound: string | null;
  chooseQuality: (quality: number | null) => void;
  chooseSound: (label: string) => void;
  /** The remembered size where MP4s are the only way; null where the page's own order holds. */
  plainQuality: number | null;
  /** Why the video does not go on. */
  problem: string | null;
  tryAgain: () => void;
}

interface Beginning {
  ladder: Ladder | null;
  startAt: number;
  /** The size of the page's address; null without one. */
  requested: number | null;
  playsAtOnce: boolean;
  onRefusal: () => void;
}

/** The page's own MP4s play until a better way is there: decision 168. `preferences` are read when it begins. */
export function usePlayback(
  video: RefObject<HTMLVideoElement>,
  beginning: Beginning,
  preferences: RefObject<Preferences>,
): Playback {
  const way = useRef<WayOfPlaying | null>(null);
  const watchdog = useRef<Watchdog | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [choices, setChoices] = useState<Pick<WayOfPlaying, "qualities" | "sounds">>(NO_CHOICES);
  const [chosenQuality, setChosenQuality] = useState<number | null>(null);
  const [chosenSound, setChosenSound] = useState<string | null>(null);
  const [shownQuality, setShownQuality] = useState<number | null>(null);
  const [plainQuality, setPlainQuality] = useState<number | null>(null);
  const [opening] = useState(beginning);
  const requested = useRef(beginning.requested);
  requested.current = beginning.requested;
  const onRefusal = useRef(beginning.onRefusal);
  onRefusal.current = beginning.onRefusal;

  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const plain = progressive(player);
    const created = watchOver(player, () => way.current ?? plain, {
      say: setProblem,
      onRefusal: () => onRefusal.current(),
    });
    watchdog.current = created;
    const over = new AbortController();
    const stayPlain = () => void setPlainQuality(preferences.current?.quality ?? null);
    const takeOver = async () => {
      const { current } = preferences;
      if (current === null) return;
      if (opening.ladder === null) return stayPlain();
      const { rungs } = opening.ladder;
      const found = await betterWay(player, opening.ladder, {
        startAt: opening.startAt,
        // Links may have changed it while an MP4 plays.
        quality() {
          const wanted = requested.current ?? preferences.current?.quality;
          return rungs.find((rung) => rung.quality === wanted)?.quality ?? null;
        },
        preferred: { language: current.sound, label: current.soundLabel },
        onQuality: setShownQuality,
        onAutomatic: () => setChosenQuality(null),
        onFailure: () => created.failed(),
        signal: over.signal,
      });
      if (over.signal.aborted) return found?.way.end();
      if (found === null) return stayPlain();
      way.current = found.way;
      setChoices({ qualities: found.way.qualities, sounds: found.way.sounds });
      setChosenQuality(found.quality);
      setChosenSound(found.sound);
    };
    const begin = async () => {
      for (let retry = 0; retry <= MAX_RETRIES && !over.signal.aborted; retry += 1) {
        // The MP4s are there meanwhile.
        const isSettled = await takeOver().then(
          () => true,
          () => stayPlain(),
        );
        if (retry === 0 && opening.playsAtOnce && !over.signal.aborted && player.played.length === 0) {
          // Browsers may refuse it; then the viewer presses play.
          void player.play().catch(() => {});
        }
        if (isSettled) return;
        await pause(waitMs(retry, null), over.signal);
      }
    };
    const cancel = whenWanted(player, () => void begin());
    return () => {
      over.abort();
      cancel();
      created.end();
      (way.current ?? plain).end();
      way.current = null;
    };
  }, [video, preferences, opening]);

  return {
    ...choices,
    shownQuality,
    chosenQuality,
    chosenSound,
    chooseQuality(quality) {
      way.current?.chooseQuality(quality);
      setChosenQuality(quality);
      // Another size may play where this one does not.
      if (problem !== null) watchdog.current?.tryAgain();
      // After a reload, the size of the address would win over the one that was chosen since.
      forgetInAddress("q");
    },
    chooseSound(label) {
      way.current?.chooseSound(label);
      setChosenSound(label);
    },
    plainQuality,
    problem,
    tryAgain: () => watchdog.current?.tryAgain(),
  };
}

const NO_CHOICES: Pick<WayOfPlaying, "qualities" | "sounds"> = { qualities: [], sounds: [] };

interface Start {
  startAt: number;
  quality: () => number | null;
  /** The sound that the viewer prefers. */
  preferred: { language: string | null; label: string | null };
  onQuality: (quality: number) => void;
  onAutomatic: () => void;
  onFailure: () => void;
  /** The player is gone. */
  signal: AbortSignal;
}

/**
 * Null where the MP4s are the only way. An MP4 that plays goes on as long as it does so without waiting. Throws when the
 * ladder could not be loaded.
 */
async function betterWay(
  player: HTMLVideoElement,
  ladder: Ladder,
  start: Start,
): Promise<{ way: WayOfPlaying; quality: number | null; sound: string | null } | null> {
  const isPlayable = player.canPlayType("application/vnd.apple.mpegurl") !== "";
  const hasMediaSource = "MediaSource" in window || "ManagedMediaSource" in window;
  if (!hasMediaSource && !isPlayable) return null;
  const answer = await fetch(ladder.master, {
    cache: "no-store",
    signal: AbortSignal.timeout(MASTER_WITHIN_MS),
  });
  if (answer.status === 429 || answer.status >= 500)
    throw new Error(`The playlist answered ${answer.status}`);
  if (!answer.ok) return null;
  const sounds = soundsIn(await answer.text());
  const ofLanguage = sounds.filter(({ language }) => language === start.preferred.language);
  const preferred =
    (ofLanguage.find(({ label }) => label === start.preferred.label) ?? ofLanguage[0])?.label ?? null;
  const sound = preferred ?? sounds[0]?.label ?? null;
  const hasWantedSound = sound === (sounds[0]?.label ?? null);
  if (hasMediaSource) {
    const { loadHls, mediaSource } = await import("./media-source.ts");
    // A network that has become too narrow would bring it late.
    await loadHls(sounds);
    await untilItWaits(player, start, hasWantedSound);
    if (start.signal.aborted) return null;
    const quality = start.quality();
    const way = await mediaSource(player, ladder, {
      ...start,
      quality,
      sounds,
      sound: preferred,
      savesData: savesData(),
    });
    return way && { way, quality, sound };
  }
  await untilItWaits(player, start, hasWantedSound);
  if (start.signal.aborted) return null;
  const way = nativeHls(player, ladder, sounds);
  const startAt = positionOf(player, start.startAt);
  // Native HLS would load megabytes before anybody plays.
  if (player.paused) player.preload = "none";
  if (startAt > 0) player.currentTime = startAt;
  const quality = start.quality();
  way.chooseQuality(quality);
  if (preferred !== null) way.chooseSound(preferred);
  return { way, quality, sound };
}

/** Resolves at once unless an MP4 plays well, with the sound and in the size that its viewer wants. */
function untilItWaits(
  player: HTMLVideoElement,
  { quality, signal }: Start,
  hasWantedSound: boolean,
): Promise<void> {
  const playsWell = () => player.ended || player.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA;
  const wanted = quality();
  const hasWantedSize = wanted === null || wanted === Math.min(player.videoWidth, player.videoHeight);
  return new Promise((resolve) => {
    if (player.played.length === 0 || !hasWantedSize || !hasWantedSound || !playsWell()) return resolve();
    const look = () => setTimeout(() => playsWell() || resolve(), WAITS_FOR_MS);
    player.addEventListener("waiting", look, { signal });
    signal.addEventListener("abort", () => resolve());
  });
}

/** The sound tracks that a master playlist names; none where the sound is inside each size. */
function soundsIn(master: string): Sound[] {
  const lines = master.split("\n").filter((line) => /^#EXT-X-MEDIA:.*TYPE=AUDIO/.test(line));
  const value = (line: string, name: string) => new RegExp(`[:,]${name}="([^"]*)"`).exec(line)?.[1] ?? "";
  const sounds = lines.map((line) => ({ language: value(line, "LANGUAGE"), label: value(line, "NAME") }));
  return sounds.map(({ language, label }) => ({ language, label: label || language }));
}

/** When the page is idle, or as soon as somebody plays. Safari has no requestIdleCallback. */
function whenWanted(player: HTMLVideoElement, begin: () => void): () => void {
  let cancel = () => {};
  const run = () => {
    stop();
    begin();
  };
  const waitUntilIdle = () => {
    if ("requestIdleCallback" in window) {
      const id = window.requestIdleCallback(run, { timeout: IDLE_WITHIN_MS });
      cancel = () => window.cancelIdleCallback(id);
    } else {
      const id = setTimeout(run, IDLE_WITHIN_MS / 2);
      cancel = () => clearTimeout(id);
    }
  };
  const stop = () => {
    window.removeEventListener("load", waitUntilIdle);
    player.removeEventListener("play", run);
    cancel();
  };
  player.addEventListener("play", run);
  if (!player.paused) run();
  else if (document.readyState === "complete") waitUntilIdle();
  else window.addEventListener("load", waitUntilIdle, { once: true });
  return stop;
}
