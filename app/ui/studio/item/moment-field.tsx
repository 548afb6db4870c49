import { Button, Group, TextInput } from "@mantine/core";
import { type RefObject, useRef } from "react";
import "#app/ui/theme/mantine.css";
import files from "./files.module.css";
import styles from "./item.module.css";

const PLAYER = "times-player";

export interface PlayerProps {
  poster: string | undefined;
  sources: { url: string; contentType: string }[];
  width: number;
  height: number;
}

export function TimesPlayer({ poster, sources, width, height }: PlayerProps) {
  if (sources.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useMediaCaption: for finding a time, not for watching.
    <video
      id={PLAYER}
      className={styles.player}
      controls
      playsInline
      preload="none"
      poster={poster}
      width={width}
      height={height}
      aria-label="The video, for finding times"
    >
      {sources.map(({ url, contentType }) => (
        <source key={url} src={url} type={contentType} />
      ))}
    </video>
  );
}

/** In seconds; null on a page without a player. */
export function timeOfPlayer(): number | null {
  const player = document.getElementById(PLAYER);
  return player instanceof HTMLVideoElement ? player.currentTime : null;
}

interface MomentFieldProps {
  id: string;
  name: string;
  label: string;
  typed: string;
  maxLength: number;
  error: string | undefined;
}

/** Typed, or taken from the page's player. */
export function MomentField({ typed, ...field }: MomentFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        ref={input}
        description="Hours, minutes and seconds, like 4:09 or 1:02:03.5."
        inputWrapperOrder={["label", "input", "error", "description"]}
        defaultValue={typed}
        autoComplete="off"
        size="md"
        className={files.short}
        {...field}
      />
      <Button type="button" variant="subtle" className={styles.needsScript} onClick={() => takeTime(input)}>
        Use the player's time
      </Button>
    </Group>
  );
}

function takeTime({ current }: RefObject<HTMLInputElement>): void {
  const seconds = timeOfPlayer();
  if (!current || seconds === null) return;
  current.value = (Math.floor(seconds * 10) / 10).toFixed(1);
  // A field that a script fills fires no event, so the form would count as unchanged.
  current.dispatchEvent(new Event("input", { bubbles: true }));
}
