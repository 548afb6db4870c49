import { Link } from "@remix-run/react";
import { type RefObject, useEffect, useState } from "react";
import { paths } from "#app/paths.ts";
import styles from "./bar.module.css";
import { showCaptions } from "./captions.ts";
import { Choice, Menu, useClosingMenus } from "./menu.tsx";
import {
  CaptionsIcon,
  KeyboardIcon,
  NextVideoIcon,
  PictureInPictureIcon,
  QualityIcon,
  SoundIcon,
  SpeedIcon,
} from "./player-icons.tsx";
import { KeyboardHelp } from "./player-keys.tsx";
import { CAPTION_BACKGROUNDS, CAPTION_SIZES, type Preferences, SPEEDS } from "./preferences.ts";
import { QualityLinks } from "./quality-links.tsx";
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
  /** The sizes that links choose, and the one that plays. */
  links: { qualities: number[]; chosen: number };
  /** The number of sizes and sounds, known before the ladder has loaded. */
  rungCount: number;
  soundCount: number;
  captions: { language: string; label: string }[];
  next: NextVideo | null;
  preferences: Preferences;
  storePreferences: (change: Partial<Preferences>) => void;
  isReady: boolean;
}

/** The controls that the native ones lack. */
export function Bar({
  video,
  playback,
  links,
  rungCount,
  soundCount,
  captions,
  next,
  isReady,
  ...own
}: BarProps) {
  useClosingMenus();
  const { preferences, storePreferences } = own;
  const chooseSpeed = (speed: number) => {
    if (video.current) video.current.playbackRate = speed;
    // The player tells it a little later; until then the list would show the one before.
    storePreferences({ speed });
  };
  const chooseCaptions = (language: string) => {
    const shown = language || null;
    if (video.current) showCaptions(video.current, shown);
    storePreferences(shown === null ? { captions: null } : { captions: shown, lastCaptions: shown });
  };
  return (
    <section className={styles.bar} aria-label="Playback">
      <QualityMenu {...{ playback, links, rungCount, isReady, storePreferences }} />
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
            legend="Size"
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
      {soundCount > 1 ? (
        <Menu label="Sound" icon={<SoundIcon />} needsScripts isReady={playback.sounds.length > 1}>
          <Choice
            legend="Sound"
            options={playback.sounds.map(({ label }) => ({ value: label, label }))}
            chosen={playback.chosenSound ?? ""}
            onChoose={(label) => {
              playback.chooseSound(label);
              const sound = playback.sounds.find((each) => each.label === label)?.language;
              storePreferences({ sound, soundLabel: label });
            }}
          />
        </Menu>
      ) : null}
      <PictureInPicture video={video} isReady={isReady} />
      <div className={styles.keyboard}>
        <Menu label="Keys" icon={<KeyboardIcon />} needsScripts isReady={isReady}>
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
            Play it after this
          </label>
        </div>
      ) : null}
    </section>
  );
}

type QualityMenuProps = Pick<BarProps, "playback" | "links" | "rungCount" | "isReady" | "storePreferences">;

/**
 * Links without scripts and without a ladder; empty when there is no choice. It keeps the room of the sizes of a ladder that
 * is still to be loaded.
 */
function QualityMenu({ playback, links, rungCount, isReady, storePreferences }: QualityMenuProps) {
  const { qualities, shownQuality, chosenQuality, chooseQuality } = playback;
  const [hasLinks, hasSizes] = [links.qualities.length > 1, qualities.length > 1];
  if (!hasLinks && !hasSizes && rungCount <= 1) return null;
  const automatic = shownQuality === null ? "Automatic" : `Automatic, now ${shownQuality}p`;
  return (
    <Menu label="Quality" icon={<QualityIcon />} needsScripts={!hasLinks} isReady={isReady && hasSizes}>
      {qualities.length > 0 ? (
        <Choice
          legend="Quality"
          options={[
            { value: AUTOMATIC, label: chosenQuality === null ? automatic : "Automatic" },
            ...qualities.map((value) => ({ value, label: `${value}p` })),
          ]}
          chosen={chosenQuality ?? AUTOMATIC}
          onChoose={(value) => {
            const quality = value === AUTOMATIC ? null : value;
            chooseQuality(quality);
            storePreferences({ quality });
          }}
        />
      ) : (
        <QualityLinks {...links} onChoose={(quality) => storePreferences({ quality })} />
      )}
    </Menu>
  );
}

/** Firefox has a button of its own for it, and no way to ask for it. */
function PictureInPicture({ video, isReady }: Pick<BarProps, "video" | "isReady">) {
  const [isPossible, setIsPossible] = useState(true);
  useEffect(() => setIsPossible(document.pictureInPictureEnabled === true), []);
  const onClick = () => {
    if (document.pictureInPictureElement) void document.exitPictureInPicture().catch(() => {});
    // Refused as long as the video has no picture yet.
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

/** Also the speed that the browser's own menu has set. */
function speedsWith(speed: number): number[] {
  return [...new Set([...SPEEDS, speed])].sort((a, b) => a - b);
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
