import { useIsomorphicEffect } from "@mantine/hooks";
import type { RefObject } from "react";
import styles from "./player.module.css";

const SHORT_STEP = 5;
const LONG_STEP = 10;
const TAKES_KEYS = "input, select, textarea, button, a, summary, video, [contenteditable]";

/** Common player shortcuts. A focused video keeps the browser's own arrow and space keys. */
export function usePlayerKeys(video: RefObject<HTMLVideoElement>): void {
  // A layout effect: the keys must work as soon as the video is visible.
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

const KEYS = [
  ["Space or K", "play, pause"],
  ["J, L", `${LONG_STEP} seconds back, on`],
  ["← →", `${SHORT_STEP} seconds back, on`],
  ["0 to 9", "to that tenth of the video"],
  ["M", "sound off, on"],
  ["F", "full screen"],
] as const;

export function KeyboardHelp() {
  return (
    <details className={styles.keys}>
      <summary>Keyboard</summary>
      <dl>
        {KEYS.map(([keys, meaning]) => (
          <div key={keys} style={{ display: "contents" }}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
