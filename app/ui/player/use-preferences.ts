import { type RefObject, useEffect, useRef, useState } from "react";
import { retryCaptions, showCaptions, shownCaptions } from "./captions.ts";
import {
  FIRST_PREFERENCES,
  keepVolume,
  type Preferences,
  readPreferences,
  writePreferences,
} from "./preferences.ts";

interface Remembered {
  preferences: Preferences;
  newest: RefObject<Preferences>;
  storePreferences: (change: Partial<Preferences>) => void;
}

export function usePreferences(video: RefObject<HTMLVideoElement>): Remembered {
  const [preferences, setPreferences] = useState(FIRST_PREFERENCES);
  const newest = useRef(preferences);
  const storePreferences = (change: Partial<Preferences>) => {
    // Another tab may have stored a choice that this player does not follow.
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
    player.defaultPlaybackRate = read.speed;
    player.playbackRate = read.speed;
    const listening = new AbortController();
    const { signal } = listening;
    retryCaptions(player, signal);
    if (read.captions !== null) showCaptions(player, read.captions);
    keepVolume(player, read, (change) => later.current(change), signal);
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
        // A video without captions must not forget the language of others.
        if (player.textTracks.length === 0) return;
        later.current(captions === null ? { captions } : { captions, lastCaptions: captions });
      },
      { signal },
    );
    return () => listening.abort();
  }, [video]);

  return { preferences, newest, storePreferences };
}
