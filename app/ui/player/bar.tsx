import { Link } from "@remix-run/react";
import { type RefObject, useEffect, useState } from "react";
import { paths } from "#app/paths.ts";
import { capitalized } from "#app/texts.ts";
import styles from "./bar.module.css";
import { showCaptions } from "./captions.ts";
import { Choice, Menu, useClosingMenus } from "./menu.tsx";
import {
  AudioIcon,
  CaptionsIcon,
  KeyboardIcon,
  NextVideoIcon,
  PictureInPictureIcon,
  SizeIcon,
  SpeedIcon,
} from "./player-icons.tsx";
import { KeyboardHelp } from "./player-keys.tsx";
import { CAPTION_BACKGROUNDS, CAPTION_SIZES, type Preferences, SPEEDS } from "./preferences.ts";
import { SizeLinks } from "./size-links.tsx";
import type { Playback } from "./use-playback.ts";

const AUTOMATIC = 0;
const NO_CAPTIONS = "";
const BACKGROUNDS = { none: "None", half: "Semi-transparent", full: "Black" };

export interface NextVideo {
  slug: string;
  title: string;
}

interface BarProps {
  video: RefObject<HTMLVideoElement>;
  playback: Playback;
  links: { sizes: number[]; chosen: number };
  /** Known before the ladder has loaded. */
  rungCount: number;
  audioTrackCount: number;
  captions: { language: string; label: string }[];
  next: NextVideo | null;
  preferences: Preferences;
  storePreferences: (change: Partial<Preferences>) => void;
  isReady: boolean;
}

export function Bar({
  video,
  playback,
  links,
  rungCount,
  audioTrackCount,
  captions,
  next,
  isReady,
  ...own
}: BarProps) {
  useClosingMenus();
  const { preferences, storePreferences } = own;
  const chooseSpeed = (speed: number) => {
    if (video.current) video.current.playbackRate = speed;
    // The player reports it later. Until then, the list would show the old speed.
    storePreferences({ speed });
  };
  const chooseCaptions = (language: string) => {
    const shown = language || null;
    if (video.current) showCaptions(video.current, shown);
    storePreferences(shown === null ? { captions: null } : { captions: shown, lastCaptions: shown });
  };
  return (
    <section className={styles.bar} aria-label="Playback">
      <SizeMenu {...{ playback, links, rungCount, isReady, storePreferences }} />
      <Menu label="Speed" icon={<SpeedIcon />} needsScripts isReady={isReady}>
        <Choice
          legend="Speed"
          options={speedsWith(preferences.speed).map((value) => ({
            value,
            label: value === 1 ? "Normal" : `${value}×`,
          }))}
          chosen={preferences.speed}
          onChoose={chooseSpeed}
        />
      </Menu>
      {captions.length > 0 ? (
        <Menu label="Captions" icon={<CaptionsIcon />} needsScripts isReady={isReady}>
          <Choice
            legend="Captions"
            options={[
              { value: NO_CAPTIONS, label: "Off" },
              ...captions.map(({ language, label }) => ({ value: language, label })),
            ]}
            chosen={
              captions.find(({ language }) => language === preferences.captions)?.language ?? NO_CAPTIONS
            }
            onChoose={chooseCaptions}
          />
          <Choice
            legend="Text size"
            options={CAPTION_SIZES.map((value) => ({ value, label: capitalized(value) }))}
            chosen={preferences.captionSize}
            onChoose={(captionSize) => storePreferences({ captionSize })}
          />
          <Choice
            legend="Background"
            options={CAPTION_BACKGROUNDS.map((value) => ({ value, label: BACKGROUNDS[value] }))}
            chosen={preferences.captionBackground}
            onChoose={(captionBackground) => storePreferences({ captionBackground })}
          />
        </Menu>
      ) : null}
      {audioTrackCount > 1 ? (
        <Menu label="Audio" icon={<AudioIcon />} needsScripts isReady={playback.audioTracks.length > 1}>
          <Choice
            legend="Audio track"
            options={playback.audioTracks.map(({ label }) => ({ value: label, label }))}
            chosen={playback.chosenAudio ?? ""}
            onChoose={(label) => {
              playback.chooseAudio(label);
              const language = playback.audioTracks.find((each) => each.label === label)?.language;
              storePreferences({ audioLanguage: language, audioLabel: label });
            }}
          />
        </Menu>
      ) : null}
      <PictureInPicture video={video} isReady={isReady} />
      <div className={styles.keyboard}>
        <Menu label="Shortcuts" icon={<KeyboardIcon />} needsScripts isReady={isReady}>
          <KeyboardHelp
            takesLetters={preferences.takesLetters}
            onChange={(takesLetters) => storePreferences({ takesLetters })}
          />
        </Menu>
      </div>
      {next ? (
        <div className={styles.next}>
          <Link to={paths.media("video", next.slug)} className={styles.control}>
            <NextVideoIcon /> <span>Next: {next.title}</span>
          </Link>
          <label className={styles.control} data-waits={!isReady || undefined}>
            <input
              type="checkbox"
              checked={preferences.playsNext}
              onChange={({ target }) => storePreferences({ playsNext: target.checked })}
            />{" "}
            Play it automatically
          </label>
        </div>
      ) : null}
    </section>
  );
}

type SizeMenuProps = Pick<BarProps, "playback" | "links" | "rungCount" | "isReady" | "storePreferences">;

/** Shows links without scripts or a ladder. Keeps space for the sizes of a ladder that has not loaded yet. */
function SizeMenu({ playback, links, rungCount, isReady, storePreferences }: SizeMenuProps) {
  const { sizes, shownSize, chosenSize, chooseSize } = playback;
  const [hasLinks, hasSizes] = [links.sizes.length > 1, sizes.length > 1];
  if (!hasLinks && !hasSizes && rungCount <= 1) return null;
  const automatic = shownSize === null ? "Automatic" : `Automatic, now ${shownSize}p`;
  return (
    <Menu label="Size" icon={<SizeIcon />} needsScripts={!hasLinks} isReady={isReady && hasSizes}>
      {sizes.length > 0 ? (
        <Choice
          legend="Size"
          options={[
            { value: AUTOMATIC, label: chosenSize === null ? automatic : "Automatic" },
            ...sizes.map((value) => ({ value, label: `${value}p` })),
          ]}
          chosen={chosenSize ?? AUTOMATIC}
          onChoose={(value) => {
            const size = value === AUTOMATIC ? null : value;
            chooseSize(size);
            storePreferences({ size });
          }}
        />
      ) : (
        <SizeLinks {...links} onChoose={(size) => storePreferences({ size })} />
      )}
    </Menu>
  );
}

/** Firefox has its own button, and scripts cannot ask for it. */
function PictureInPicture({ video, isReady }: Pick<BarProps, "video" | "isReady">) {
  const [isPossible, setIsPossible] = useState(true);
  useEffect(() => setIsPossible(document.pictureInPictureEnabled === true), []);
  const onClick = () => {
    if (document.pictureInPictureElement) void document.exitPictureInPicture().catch(() => {});
    // Browsers refuse it until the video has a picture.
    else void video.current?.requestPictureInPicture().catch(() => {});
  };
  return (
    <button
      type="button"
      className={styles.control}
      data-waits={!isReady || !isPossible || undefined}
      onClick={onClick}
    >
      <PictureInPictureIcon /> Picture in picture
    </button>
  );
}

/** With the speed that was chosen in the browser's own menu. */
function speedsWith(speed: number): number[] {
  return [...new Set([...SPEEDS, speed])].sort((a, b) => a - b);
}
