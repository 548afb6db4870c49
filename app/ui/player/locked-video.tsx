import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { LockIcon } from "../parts/icons.tsx";
import { Picture } from "../parts/picture.tsx";
import { readPreferences, writePreferences } from "./preferences.ts";
import { Problem } from "./problem.tsx";
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
  /** The opened trailer is gone, and the page knows a newer one. */
  onReplaced(): void;
}

function Trailer({ title, poster, url, onReplaced }: TrailerProps) {
  const [opened] = useState(url);
  const video = useRef<HTMLVideoElement>(null);
  const watchdog = useRef<Watchdog | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const plain = progressive(player);
    const created = watchOver(player, () => plain, { say: setProblem, onRefusal: revalidate });
    watchdog.current = created;
    const { volume, isMuted } = readPreferences();
    Object.assign(player, { volume, muted: isMuted });
    const storeVolume = () =>
      writePreferences({ ...readPreferences(), volume: player.volume, isMuted: player.muted });
    player.addEventListener("volumechange", storeVolume);
    return () => {
      player.removeEventListener("volumechange", storeVolume);
      created.end();
      plain.end();
    };
  }, [revalidate]);
  useEffect(() => {
    if (problem !== null && url !== opened) onReplaced();
  }, [problem, url, opened, onReplaced]);
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
      {problem === null ? <p className={styles.trailer}>Trailer</p> : null}
      <Problem video={video} sentence={problem} onTryAgain={() => watchdog.current?.tryAgain()} />
    </>
  );
}
