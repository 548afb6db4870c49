import type { Preferences } from "./preferences.ts";

/** Shows the captions of this language, and none when there are none. */
export function showCaptions(player: HTMLVideoElement, language: string | null): void {
  for (const track of player.textTracks) track.mode = track.language === language ? "showing" : "disabled";
}

/** The language of the captions that are shown, also when the native controls chose them. */
export function shownCaptions(player: HTMLVideoElement): string | null {
  return [...player.textTracks].find(({ mode }) => mode === "showing")?.language ?? null;
}

/** Switches captions off, and on in the language that was last chosen, or in the first. */
export function toggleCaptions(player: HTMLVideoElement, lastChosen: Preferences["lastCaptions"]): void {
  const tracks = [...player.textTracks];
  const known = tracks.find(({ language }) => language === lastChosen) ?? tracks[0];
  showCaptions(player, shownCaptions(player) === null ? (known?.language ?? null) : null);
}
