// Needed because the page's MP4s play first and hls.js takes over later: decision 168.
import { type RefObject, useEffect, useRef, useState } from "react";
import { savesData } from "#app/ui/parts/saves-data.ts";
import { MAX_RETRIES, pause, waitMs } from "../parts/retry-delay.ts";
import { forgetInAddress } from "./address.ts";
import type { Preferences } from "./preferences.ts";
import { play, positionOf } from "./video-element.ts";
import { type Watchdog, watchOver } from "./watchdog.ts";
import { type AudioTrack, type Ladder, nativeHls, progressive, type WayOfPlaying } from "./way-of-playing.ts";

const IDLE_WITHIN_MS = 2_000;
const MASTER_WITHIN_MS = 5_000;
/** A seek within loaded parts takes less. */
const WAITS_FOR_MS = 300;

export interface Playback {
  sizes: number[];
  shownSize: number | null;
  chosenSize: number | null;
  audioTracks: AudioTrack[];
  chosenAudio: string | null;
  chooseSize: (size: number | null) => void;
  chooseAudio: (label: string) => void;
  /** The remembered size when MP4s are the only way; null keeps the page's order. */
  plainSize: number | null;
  error: string | null;
  tryAgain: () => void;
}

interface Beginning {
  ladder: Ladder | null;
  startAt: number;
  requestedSize: number | null;
  playsAtOnce: boolean;
  onRefusal: () => void;
}

export function usePlayback(
  video: RefObject<HTMLVideoElement>,
  beginning: Beginning,
  preferences: RefObject<Preferences>,
): Playback {
  const way = useRef<WayOfPlaying | null>(null);
  const watchdog = useRef<Watchdog | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [choices, setChoices] = useState<Pick<WayOfPlaying, "sizes" | "audioTracks">>(NO_CHOICES);
  const [chosenSize, setChosenSize] = useState<number | null>(null);
  const [chosenAudio, setChosenAudio] = useState<string | null>(null);
  const [shownSize, setShownSize] = useState<number | null>(null);
  const [plainSize, setPlainSize] = useState<number | null>(null);
  const [opening] = useState(beginning);
  const requestedSize = useRef(beginning.requestedSize);
  requestedSize.current = beginning.requestedSize;
  const onRefusal = useRef(beginning.onRefusal);
  onRefusal.current = beginning.onRefusal;

  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const plain = progressive(player);
    const created = watchOver(player, () => way.current ?? plain, {
      say: setError,
      onRefusal: () => onRefusal.current(),
    });
    watchdog.current = created;
    const over = new AbortController();
    const stayPlain = () => void setPlainSize(preferences.current?.size ?? null);
    const takeOver = async () => {
      const { current } = preferences;
      if (current === null) return;
      if (opening.ladder === null) return stayPlain();
      const { rungs } = opening.ladder;
      const found = await betterWay(player, opening.ladder, {
        startAt: opening.startAt,
        // Links may have changed it while an MP4 was playing.
        size() {
          const wanted = requestedSize.current ?? preferences.current?.size;
          return rungs.find((rung) => rung.size === wanted)?.size ?? null;
        },
        preferred: { language: current.audioLanguage, label: current.audioLabel },
        onSize: setShownSize,
        onAutomatic: () => setChosenSize(null),
        onFailure: () => created.failed(),
        signal: over.signal,
      });
      if (over.signal.aborted) return found?.way.end();
      if (found === null) return stayPlain();
      way.current = found.way;
      setChoices({ sizes: found.way.sizes, audioTracks: found.way.audioTracks });
      setChosenSize(found.size);
      setChosenAudio(found.audio);
    };
    const begin = async () => {
      for (let retry = 0; retry <= MAX_RETRIES && !over.signal.aborted; retry += 1) {
        const isSettled = await takeOver().then(
          () => true,
          () => stayPlain(),
        );
        if (retry === 0 && opening.playsAtOnce && !over.signal.aborted && player.played.length === 0) {
          play(player);
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
    shownSize,
    chosenSize,
    chosenAudio,
    chooseSize(size) {
      way.current?.chooseSize(size);
      setChosenSize(size);
      // Another size may play where this one failed.
      if (error !== null) watchdog.current?.tryAgain();
      // After a reload the address would override the new choice.
      forgetInAddress("q");
    },
    chooseAudio(label) {
      way.current?.chooseAudio(label);
      setChosenAudio(label);
    },
    plainSize,
    error,
    tryAgain: () => watchdog.current?.tryAgain(),
  };
}

const NO_CHOICES: Pick<WayOfPlaying, "sizes" | "audioTracks"> = { sizes: [], audioTracks: [] };

interface Start {
  startAt: number;
  size: () => number | null;
  preferred: { language: string | null; label: string | null };
  onSize: (size: number) => void;
  onAutomatic: () => void;
  onFailure: () => void;
  signal: AbortSignal;
}

/** Null when MP4s are the only way. An MP4 that plays goes on until it has to wait. Throws when the ladder could not be loaded. */
async function betterWay(
  player: HTMLVideoElement,
  ladder: Ladder,
  start: Start,
): Promise<{ way: WayOfPlaying; size: number | null; audio: string | null } | null> {
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
  const audioTracks = audioTracksIn(await answer.text());
  const ofLanguage = audioTracks.filter(({ language }) => language === start.preferred.language);
  const preferred =
    (ofLanguage.find(({ label }) => label === start.preferred.label) ?? ofLanguage[0])?.label ?? null;
  const audio = preferred ?? audioTracks[0]?.label ?? null;
  const hasWantedAudio = audio === (audioTracks[0]?.label ?? null);
  if (hasMediaSource) {
    const { loadHls, mediaSource } = await import("./media-source.ts");
    // Before the switch, because a slow network would bring it too late.
    await loadHls(audioTracks);
    await untilItWaits(player, start, hasWantedAudio);
    if (start.signal.aborted) return null;
    const size = start.size();
    const way = await mediaSource(player, ladder, {
      ...start,
      size,
      audioTracks,
      audio: preferred,
      savesData: savesData(),
    });
    return way && { way, size, audio };
  }
  await untilItWaits(player, start, hasWantedAudio);
  if (start.signal.aborted) return null;
  const way = nativeHls(player, ladder, audioTracks);
  const startAt = positionOf(player, start.startAt);
  // Native HLS would load megabytes before playback.
  if (player.paused) player.preload = "none";
  if (startAt > 0) player.currentTime = startAt;
  const size = start.size();
  way.chooseSize(size);
  if (preferred !== null) way.chooseAudio(preferred);
  return { way, size, audio };
}

/** Resolves at once unless an MP4 plays well in the wanted size and audio track. */
function untilItWaits(
  player: HTMLVideoElement,
  { size, signal }: Start,
  hasWantedAudio: boolean,
): Promise<void> {
  const playsWell = () => player.ended || player.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA;
  const wanted = size();
  const hasWantedSize = wanted === null || wanted === Math.min(player.videoWidth, player.videoHeight);
  return new Promise((resolve) => {
    if (player.played.length === 0 || !hasWantedSize || !hasWantedAudio || !playsWell()) return resolve();
    const look = () => setTimeout(() => playsWell() || resolve(), WAITS_FOR_MS);
    player.addEventListener("waiting", look, { signal });
    signal.addEventListener("abort", () => resolve());
  });
}

function audioTracksIn(master: string): AudioTrack[] {
  const lines = master.split("\n").filter((line) => /^#EXT-X-MEDIA:.*TYPE=AUDIO/.test(line));
  const value = (line: string, name: string) => new RegExp(`[:,]${name}="([^"]*)"`).exec(line)?.[1] ?? "";
  return lines.map((line) => {
    const language = value(line, "LANGUAGE");
    return { language, label: value(line, "NAME") || language };
  });
}

/** Begins when the page is idle, or when the viewer plays. Safari lacks requestIdleCallback. */
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
