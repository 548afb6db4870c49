import { MAX_RETRIES, pause, waitMs } from "../parts/retry-delay.ts";
import type { Preferences } from "./preferences.ts";

export function showCaptions(player: HTMLVideoElement, language: string | null): void {
  for (const track of player.textTracks) track.mode = track.language === language ? "showing" : "disabled";
}

export function shownCaptions(player: HTMLVideoElement): string | null {
  return [...player.textTracks].find(({ mode }) => mode === "showing")?.language ?? null;
}

/** Turns on the language that was chosen last, or the first one. */
export function toggleCaptions(player: HTMLVideoElement, lastChosen: Preferences["lastCaptions"]): void {
  const tracks = [...player.textTracks];
  const known = tracks.find(({ language }) => language === lastChosen) ?? tracks[0];
  showCaptions(player, shownCaptions(player) === null ? (known?.language ?? null) : null);
}

/** Browsers request captions only once, and show no failure. */
export function retryCaptions(player: HTMLVideoElement, signal: AbortSignal): void {
  const retries = new Map<HTMLTrackElement, number>();
  const loadAgain = async (track: HTMLTrackElement) => {
    const retry = retries.get(track) ?? 0;
    if (retry > MAX_RETRIES) return;
    retries.set(track, retry + 1);
    await pause(waitMs(retry, null), signal);
    // Chromium does not request an unchanged address again.
    if (!signal.aborted) track.src = `${track.src.replace(/#.*$/, "")}#${retry + 1}`;
  };
  for (const track of player.querySelectorAll("track")) {
    if (track.readyState === HTMLTrackElement.ERROR) void loadAgain(track);
  }
  const onError = ({ target }: Event) => {
    if (target instanceof HTMLTrackElement) void loadAgain(target);
  };
  // Errors of <track> elements do not bubble.
  player.addEventListener("error", onError, { capture: true, signal });
}
