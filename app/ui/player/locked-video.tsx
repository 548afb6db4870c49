import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { LockIcon } from "../parts/icons.tsx";
import { Picture } from "../parts/picture.tsx";
import { PlaybackError } from "./playback-error.tsx";
import { keepVolume, type Preferences, readPreferences, writePreferences } from "./preferences.ts";
import styles from "./watch.module.css";
import { type Watchdog, watchOver } from "./watchdog.ts";
import { progressive } from "./way-of-playing.ts";

interface LockedVideoProps {
  title: string;
  blur: PictureView;
  poster: string;
  trailer: string | null;
}

export function LockedVideo({ title, blur, poster, trailer }: LockedVideoProps) {
  const [opened, setOpened] = useState(trailer);
  return (
    <div className={styles.locked}>
      {trailer === null ? (
        <>
          <Picture picture={blur} sizes="(min-width: 80rem) 80rem, 100vw" priority />
          <p>
            <LockIcon size={16} /> Locked
          </p>
        </>
      ) : (
        <Trailer
          key={opened}
          title={title}
          poster={poster}
          url={trailer}
          onReplaced={() => setOpened(trailer)}
        />
      )}
    </div>
  );
}

interface TrailerProps {
  title: string;
  poster: string;
  url: string;
  /** The trailer that was opened is gone, and the page knows a newer one. */
  onReplaced(): void;
}

function Trailer({ title, poster, url, onReplaced }: TrailerProps) {
  const [opened] = useState(url);
  const video = useRef<HTMLVideoElement>(null);
  const watchdog = useRef<Watchdog | null>(null);
  const [error, setError] = useState<string | null>(null);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const plain = progressive(player);
    const created = watchOver(player, () => plain, { say: setError, onRefusal: revalidate });
    watchdog.current = created;
    const listening = new AbortController();
    const store = (change: Partial<Preferences>) => writePreferences({ ...readPreferences(), ...change });
    keepVolume(player, readPreferences(), store, listening.signal);
    return () => {
      listening.abort();
      created.end();
      plain.end();
    };
  }, [revalidate]);
  useEffect(() => {
    if (error !== null && url !== opened) onReplaced();
  }, [error, url, opened, onReplaced]);
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: a trailer has no captions of its own. */}
      <video
        ref={video}
        controls
        playsInline
        preload="none"
        poster={poster}
        width={1280}
        height={720}
        aria-label={`Trailer of ${title}`}
      >
        <source src={opened} type="video/mp4" />
      </video>
      {error === null ? <p className={styles.trailer}>Trailer</p> : null}
      <PlaybackError video={video} sentence={error} onTryAgain={() => watchdog.current?.tryAgain()} />
    </>
  );
}
