import { useIsomorphicEffect } from "@mantine/hooks";
import type { RefObject } from "react";

const SHORT_STEP = 5;
const LONG_STEP = 10;
const TAKES_KEYS = "input, select, textarea, button, a, summary, video, [contenteditable]";

/** The keys that players have in common. A focused video keeps the browser's own keys for arrows and space. */
export function usePlayerKeys(video: RefObject<HTMLVideoElement>): void {
  // Not after the page is painted: whoever sees the film may press a key.
  useIsomorphicEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const player = video.current;
      if (!player || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const { target } = event;
      const isTaken = target instanceof Element && target.closest(TAKES_KEYS) !== null;
      if (isTaken && (target !== player || !/^[jklmf\d]$/.test(event.key))) return;
      if (press(player, event.key)) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [video]);
}

/** Returns whether the key means something. */
function press(player: HTMLVideoElement, key: string): boolean {
  const move = (seconds: number) => {
    player.currentTime = Math.min(Math.max(player.currentTime + seconds, 0), player.duration || 0);
  };
  if (/^\d$/.test(key)) player.currentTime = ((player.duration || 0) * Number(key)) / 10;
  else if (key === "k" || key === " ") void (player.paused ? player.play() : player.pause());
  else if (key === "j") move(-LONG_STEP);
  else if (key === "l") move(LONG_STEP);
  else if (key === "ArrowLeft") move(-SHORT_STEP);
  else if (key === "ArrowRight") move(SHORT_STEP);
  else if (key === "m") player.muted = !player.muted;
  else if (key === "f")
    void (document.fullscreenElement ? document.exitFullscreen() : player.requestFullscreen());
  else return false;
  return true;
}
