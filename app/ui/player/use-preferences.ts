import { type RefObject, useEffect, useRef, useState } from "react";
import { retryCaptions, showCaptions, shownCaptions } from "./captions.ts";
import { FIRST_PREFERENCES, type Preferences, readPreferences, writePreferences } from "./preferences.ts";

interface Remembered {
  /** Those of a browser without a memory until the scripts run. */
  preferences: Preferences;
  /** The newest, for what reads them later. */
  newest: RefObject<Preferences>;
  storePreferences: (change: Partial<Preferences>) => void;
}

/** Sets up the player as its viewer left the last one, and remembers what its native controls change. */
export function usePreferences(video: RefObject<HTMLVideoElement>): Remembered {
  const [preferences, setPreferences] = useState(FIRST_PREFERENCES);
  const newest = useRef(preferences);
  const storePreferences = (change: Partial<Preferences>) => {
    // Another tab may have stored a choice since, which this player does not follow.
    writePreferences({ ...readPreferences(newest.current), ...change });
    newest.current = { ...newest.current, ...change };
    setPreferences(newest.current);
  };
  const later = useRef(storePreferences);
  later.current = storePreferences;

  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const read = readPreferences();
    newest.current = read;
    setPreferences(read);
    player.volume = read.volume;
    player.muted = read.isMuted;
    player.defaultPlaybackRate = read.speed;
    player.playbackRate = read.speed;
    const listening = new AbortController();
    const { signal } = listening;
    retryCaptions(player, signal);
    if (read.captions !== null) showCaptions(player, read.captions);
    player.addEventListener(
      "volumechange",
      () => later.current({ volume: player.volume, isMuted: player.muted }),
      { signal },
    );
    player.addEventListener(
      "ratechange",
      () => {
        player.defaultPlaybackRate = player.playbackRate;
        later.current({ speed: player.playbackRate });
      },
      { signal },
    );
    player.textTracks.addEventListener(
      "change",
      () => {
        const captions = shownCaptions(player);
        // A video without captions does not forget those of the others.
        if (player.textTracks.length === 0) return;
        later.current(captions === null ? { captions } : { captions, lastCaptions: captions });
      },
      { signal },
    );
    return () => listening.abort();
  }, [video]);

  return { preferences, newest, storePreferences };
}
