import { Link, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { NextStep } from "#app/domain/billing/rules/next-step.ts";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { count } from "../parts/format-length.ts";
import { LockIcon } from "../parts/icons.tsx";
import { LockedStep } from "../parts/locked-panel.tsx";
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
  /** The address of the trailer; null without one. */
  trailer: string | null;
}

/** Has the frame of the video, and in it what everybody may see. */
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
  /** The one with which it was opened is no longer sent, and the page has heard of another. */
  onReplaced(): void;
}

/** Keeps the trailer with which the page was opened, as the player keeps its files. */
function Trailer({ title, poster, url, onReplaced }: TrailerProps) {
  const [opened] = useState(url);
  const video = useRef<HTMLVideoElement>(null);
  const dog = useRef<Watchdog | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const player = video.current;
    if (!player) return;
    const plain = progressive(player);
    const watchdog = watchOver(player, () => plain, { say: setProblem, onRefusal: revalidate });
    dog.current = watchdog;
    const { volume, isMuted } = readPreferences();
    Object.assign(player, { volume, muted: isMuted });
    const storeSound = () =>
      writePreferences({ ...readPreferences(), volume: player.volume, isMuted: player.muted });
    player.addEventListener("volumechange", storeSound);
    return () => {
      player.removeEventListener("volumechange", storeSound);
      watchdog.end();
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
      <Problem video={video} sentence={problem} onTryAgain={() => dog.current?.tryAgain()} />
    </>
  );
}

interface OfferProps {
  /** Why it is locked. */
  sentence: string;
  next: NextStep;
  hasTrailer: boolean;
  /** Null where no subscription is needed, or the viewer has one. */
  plan: { prices: string; trial: string | null } | null;
  inside: { videos: number; photoSets: number; creators: number } | null;
}

/** Names its heading. */
export const OFFER = "offer";

/** The contents of the subscription, its price, and one button. */
export function Offer({ sentence, next, hasTrailer, plan, inside }: OfferProps) {
  return (
    <section className={styles.offer} aria-labelledby={OFFER}>
      <h2 id={OFFER} tabIndex={-1}>
        {hasTrailer ? "Watch the whole video" : "Watch this video"}
      </h2>
      <p>{sentence}</p>
      {plan ? (
        <p className={styles.price}>
          {plan.prices}
          {plan.trial ? <span className={styles.note}> {plan.trial}</span> : null}
        </p>
      ) : null}
      {inside ? (
        <ul>
          <li>
            Every video and photo set: {count(inside.videos, "video")}, {count(inside.photoSets, "photo set")}{" "}
            by {count(inside.creators, "creator")}
          </li>
          <li>All sizes, and your progress on all your devices</li>
          <li>You can cancel at any time, in two clicks</li>
        </ul>
      ) : null}
      <LockedStep {...next} />
    </section>
  );
}

interface FreePhotosProps {
  photos: { href: string; picture: PictureView }[];
}

export function FreePhotos({ photos }: FreePhotosProps) {
  if (photos.length === 0) return null;
  return (
    <section className={styles.free}>
      <h2>Free photos from the same shoot</h2>
      <ul>
        {photos.map(({ href, picture }) => (
          <li key={href}>
            <Link to={href}>
              <Picture picture={picture} sizes="(min-width: 48em) 16rem, 50vw" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
