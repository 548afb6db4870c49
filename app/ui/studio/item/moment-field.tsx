import { Button, Group, TextInput } from "@mantine/core";
import { useRef } from "react";
import { EXAMPLE_TIMES, formatClockTime } from "#app/clock-times.ts";
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

export function TimeButton({ onTake }: { onTake(): void }) {
  return (
    <Button type="button" variant="default" className={styles.needsScript} onClick={onTake}>
      Use the player’s time
    </Button>
  );
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
    <TextInput
      ref={input}
      description={`Like ${EXAMPLE_TIMES}.`}
      defaultValue={typed}
      autoComplete="off"
      size="md"
      classNames={{ wrapper: files.short }}
      inputContainer={(typing) => (
        <Group gap="sm">
          {typing}
          <TimeButton onTake={() => input.current && takeTime(input.current)} />
        </Group>
      )}
      {...field}
    />
  );
}

/** To a tenth of a second. */
export function takeTime(input: HTMLInputElement): void {
  const player = document.getElementById(PLAYER);
  if (!(player instanceof HTMLVideoElement)) return;
  input.value = formatClockTime(Math.floor(player.currentTime * 10) / 10);
  // A field that a script fills fires no event, so the form would count as unchanged.
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
