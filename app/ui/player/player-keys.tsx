import { useIsomorphicEffect } from "@mantine/hooks";
import type { RefObject } from "react";
import styles from "./bar.module.css";
import { toggleCaptions } from "./captions.ts";
import { type Preferences, SPEEDS } from "./preferences.ts";
import { positionOf, STEP_SECONDS, seek, wantToPlay } from "./video-element.ts";

/** Videos do not state their rate; most have this one. */
const PICTURES_PER_SECOND = 25;
const USES_LETTERS =
  "input:not([type=radio], [type=checkbox], [type=range]), select, textarea, [contenteditable]";
/** These use some keys, but no letters or digits. */
const USES_KEYS = "input, button, summary, video";
/** A click focuses these. Space does nothing in them, so the page would scroll. */
const LEAVES_SPACE = "input[type=range]";

const TOGGLES = ["k", " ", "m", "c", "f"];

/** What the page knows before the player does. */
interface Known {
  seconds: number;
  startAt: number;
}

/** The focused element keeps the arrow and space keys that it uses. */
export function usePlayerKeys(
  video: RefObject<HTMLVideoElement>,
  { seconds, startAt }: Known,
  preferences: RefObject<Preferences>,
): void {
  // A layout effect: keys must work as soon as the video is visible.
  useIsomorphicEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const player = video.current;
      if (!player || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const { target } = event;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (/^\S$/.test(key) && preferences.current?.takesLetters === false) return;
      const isIn = (selector: string) => target instanceof Element && target.closest(selector) !== null;
      const isFree = FREE_KEYS.test(key) || (key === " " && isIn(LEAVES_SPACE));
      if (isIn(USES_LETTERS) || (isIn(USES_KEYS) && !isFree)) return;
      const captions = preferences.current?.lastCaptions ?? null;
      // A held key would toggle back and forth.
      const isHandled =
        (event.repeat && TOGGLES.includes(key)) || press(player, { seconds, startAt }, key, captions);
      if (isHandled) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [video, seconds, startAt, preferences]);
}

const FREE_KEYS = /^[jklmfc<>,.\d]$/;

function press(player: HTMLVideoElement, known: Known, key: string, captions: string | null): boolean {
  const length = player.duration || known.seconds;
  const move = (seconds: number) => {
    seek(player, Math.min(Math.max(positionOf(player, known.startAt) + seconds, 0), length));
  };
  if (/^\d$/.test(key)) seek(player, (length * Number(key)) / 10);
  else if (key === "k" || key === " ") player.paused ? wantToPlay(player) : player.pause();
  else if (key === "j") move(-STEP_SECONDS.long);
  else if (key === "l") move(STEP_SECONDS.long);
  else if (key === "ArrowLeft") move(-STEP_SECONDS.short);
  else if (key === "ArrowRight") move(STEP_SECONDS.short);
  else if (key === "m") player.muted = !player.muted;
  else if (key === "c") toggleCaptions(player, captions);
  else if (key === "<" || key === ">") player.playbackRate = nextSpeed(player.playbackRate, key === ">");
  else if ((key === "," || key === ".") && player.paused) {
    move((key === "." ? 1 : -1) / PICTURES_PER_SECOND);
  } else if (key === "f") void switchFullScreen(player).catch(() => {});
  else return false;
  return true;
}

/** With error messages, which a video alone would hide. Browsers may refuse it. */
async function switchFullScreen(player: HTMLVideoElement): Promise<void> {
  const box = player.closest("[data-player]") ?? player;
  await (document.fullscreenElement ? document.exitFullscreen() : box.requestFullscreen());
}

function nextSpeed(speed: number, isFaster: boolean): number {
  const found = isFaster ? SPEEDS.find((each) => each > speed) : SPEEDS.findLast((each) => each < speed);
  return found ?? speed;
}

const KEYS = [
  ["Space or K", "play, pause"],
  ["J, L", `${STEP_SECONDS.long} seconds back, forward`],
  ["← →", `${STEP_SECONDS.short} seconds back, forward`],
  ["0 to 9", "jump to 0–90% of the video"],
  [", .", "one frame back, forward (while paused)"],
  ["< >", "slower, faster"],
  ["C", "captions on, off"],
  ["M", "mute, unmute"],
  ["F", "full screen"],
] as const;

interface KeyboardHelpProps {
  takesLetters: boolean;
  onChange: (takesLetters: boolean) => void;
}

export function KeyboardHelp({ takesLetters, onChange }: KeyboardHelpProps) {
  return (
    <div className={styles.help}>
      <dl className={styles.keys}>
        {KEYS.map(([keys, meaning]) => (
          <div key={keys} style={{ display: "contents" }}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked={takesLetters} onChange={({ target }) => onChange(target.checked)} />{" "}
        Use letters, digits and symbols as shortcuts
      </label>
    </div>
  );
}
