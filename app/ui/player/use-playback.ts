import { type RefObject, useEffect, useRef, useState } from "react";
import { savesData } from "#app/ui/parts/saves-data.ts";
import { MAX_RETRIES, pause, waitMs } from "../parts/retry-delay.ts";
import { forgetInAddress } from "./address.ts";
import type { Preferences } from "./preferences.ts";
import { type Watchdog, watchOver } from "./watchdog.ts";
import {
  type Ladder,
  nativeHls,
  positionOf,
  progressive,
  type Sound,
  type WayOfPlaying,
} from "./way-of-playing.ts";

/** At the latest so long after the page has loaded. */
const IDLE_WITHIN_MS = 2_000;
const MASTER_WITHIN_MS = 5_000;

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
  const dog = useRef<Watchdog | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [choices, setChoices] = useState<Pick<WayOfPlaying, "qualities" | "sounds">>(NO_CHOICES);
  const [chosenQuality, setChosenQuality] = useState<number | null>(null);
  const [chosenSound, setChosenSound] = useState<string | null>(null);
  const [shownQuality, setShownQuality] = useState<number | null>(null);
  const [plainQuality, setPlainQuality] = useState<number | null>(null);
  const [opening] = useState(beginning);
  const onRefusal = useRef(beginning.onRefusal);
  onRefusal.current = beginning.onRefusal;

  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const plain = progressive(player);
    const watchdog = watchOver(player, () => way.current ?? plain, {
      say: setProblem,
      onRefusal: () => onRefusal.current(),
    });
    dog.current = watchdog;
    const over = new AbortController();
    const takeOver = async () => {
      const { current } = preferences;
      if (current === null) return;
      // A reload is not seen as long as nothing has been played.
      const stayPlain = () => player.played.length === 0 && setPlainQuality(current.quality);
      if (opening.ladder === null) return stayPlain();
      const wanted = opening.requested ?? current.quality;
      const quality = opening.ladder.rungs.some((rung) => rung.quality === wanted) ? wanted : null;
      const found = await betterWay(player, opening.ladder, {
        startAt: opening.startAt,
        quality,
        preferred: { language: current.sound, label: current.soundLabel },
        onQuality: setShownQuality,
        onFailure: () => watchdog.failed(),
      });
      if (over.signal.aborted) return found?.way.end();
      if (found === null) return stayPlain();
      way.current = found.way;
      setChoices({ qualities: found.way.qualities, sounds: found.way.sounds });
      setChosenQuality(quality);
      setChosenSound(found.sound);
    };
    const begin = async () => {
      for (let retry = 0; retry <= MAX_RETRIES && !over.signal.aborted; retry += 1) {
        // The MP4s are there meanwhile. Once one of them plays, it goes on.
        const isSettled = await takeOver().then(
          () => true,
          () => player.played.length > 0,
        );
        if (retry === 0 && opening.playsAtOnce && !over.signal.aborted) {
          // Browsers may refuse it; then the viewer presses play.
          void player.play().catch(() => {});
        }
        if (isSettled) return;
        await pause(waitMs(retry, null), over.signal);
      }
    };
    const cancel = whenIdle(() => void begin());
    return () => {
      over.abort();
      cancel();
      watchdog.end();
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
      // After a reload, the size of the address would win over the one that was chosen since.
      forgetInAddress("q");
    },
    chooseSound(label) {
      way.current?.chooseSound(label);
      setChosenSound(label);
    },
    plainQuality,
    problem,
    tryAgain: () => dog.current?.tryAgain(),
  };
}

const NO_CHOICES: Pick<WayOfPlaying, "qualities" | "sounds"> = { qualities: [], sounds: [] };

interface Start {
  startAt: number;
  quality: number | null;
  /** The sound that the viewer prefers. */
  preferred: { language: string | null; label: string | null };
  onQuality: (quality: number) => void;
  onFailure: () => void;
}

/** Null where the MP4s are the only way, and where they have begun to play. Throws when the ladder could not be loaded. */
async function betterWay(
  player: HTMLVideoElement,
  ladder: Ladder,
  start: Start,
): Promise<{ way: WayOfPlaying; sound: string | null } | null> {
  const isPlayable = player.canPlayType("application/vnd.apple.mpegurl") !== "";
  const hasMediaSource = "MediaSource" in window || "ManagedMediaSource" in window;
  if (!hasMediaSource && !isPlayable) return null;
  const answer = await fetch(ladder.master, {
    cache: "no-store",
    signal: AbortSignal.timeout(MASTER_WITHIN_MS),
  });
  if (player.played.length > 0) return null;
  if (answer.status === 429 || answer.status >= 500)
    throw new Error(`The playlist answered ${answer.status}`);
  if (!answer.ok) return null;
  const sounds = soundsIn(await answer.text());
  const ofLanguage = sounds.filter(({ language }) => language === start.preferred.language);
  const preferred =
    (ofLanguage.find(({ label }) => label === start.preferred.label) ?? ofLanguage[0])?.label ?? null;
  const sound = preferred ?? sounds[0]?.label ?? null;
  if (hasMediaSource) {
    const { mediaSource } = await import("./media-source.ts");
    const way = await mediaSource(player, ladder, {
      ...start,
      sounds,
      sound: preferred,
      savesData: savesData(),
    });
    return way && { way, sound };
  }
  if (player.played.length > 0) return null;
  const way = nativeHls(player, ladder, sounds);
  const startAt = positionOf(player, start.startAt);
  // Native HLS would load megabytes before anybody plays.
  if (player.paused) player.preload = "none";
  if (startAt > 0) player.currentTime = startAt;
  way.chooseQuality(start.quality);
  if (preferred !== null) way.chooseSound(preferred);
  return { way, sound };
}

/** The sound tracks that a master playlist names; none where the sound is inside each size. */
function soundsIn(master: string): Sound[] {
  const lines = master.split("\n").filter((line) => /^#EXT-X-MEDIA:.*TYPE=AUDIO/.test(line));
  const value = (line: string, name: string) => new RegExp(`[:,]${name}="([^"]*)"`).exec(line)?.[1] ?? "";
  const sounds = lines.map((line) => ({ language: value(line, "LANGUAGE"), label: value(line, "NAME") }));
  return sounds.map(({ language, label }) => ({ language, label: label || language }));
}

/** Safari has no requestIdleCallback. */
function whenIdle(run: () => void): () => void {
  let cancel = () => {};
  const begin = () => {
    if ("requestIdleCallback" in window) {
      const id = window.requestIdleCallback(run, { timeout: IDLE_WITHIN_MS });
      cancel = () => window.cancelIdleCallback(id);
    } else {
      const id = setTimeout(run, IDLE_WITHIN_MS / 2);
      cancel = () => clearTimeout(id);
    }
  };
  if (document.readyState === "complete") begin();
  else window.addEventListener("load", begin, { once: true });
  return () => {
    window.removeEventListener("load", begin);
    cancel();
  };
}
