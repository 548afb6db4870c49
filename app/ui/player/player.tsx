import { useNavigate, useRevalidator } from "@remix-run/react";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { paths } from "#app/paths.ts";
import type { ProgressSubject } from "../progress/send-progress.ts";
import { Bar, type NextVideo } from "./bar.tsx";
import { PlaybackError } from "./playback-error.tsx";
import styles from "./player.module.css";
import { usePlayerKeys } from "./player-keys.tsx";
import { Timeline } from "./timeline.tsx";
import { useMediaSession } from "./use-media-session.ts";
import { usePlayback } from "./use-playback.ts";
import { usePreferences } from "./use-preferences.ts";
import { useProgressReports } from "./use-progress-reports.ts";
import { reload } from "./video-element.ts";
import type { Ladder } from "./way-of-playing.ts";

interface PlayerProps {
  video: RefObject<HTMLVideoElement>;
  title: string;
  artist: string;
  poster: string;
  width: number;
  height: number;
  seconds: number;
  sources: { url: string; size: number; contentType: string }[];
  /** By a link of the page. */
  requestedSize: number | null;
  ladder: Ladder | null;
  captions: { url: string; language: string; label: string }[];
  markers: { atSeconds: number; title: string }[];
  sprites: string | null;
  next: NextVideo | null;
  /** Read once, like `sources`, `ladder` and `captions`: revalidation must not disturb playback. */
  startAt: number;
  progressSubject: ProgressSubject | null;
  /** The previous video has ended, and its viewer wants this one. */
  playsAtOnce: boolean;
}

export function Player({ video, title, poster, width, height, requestedSize, next, ...more }: PlayerProps) {
  const [{ startAt, progressSubject, sources: opened, ladder, captions, playsAtOnce }] = useState(more);
  const [isReady, setIsReady] = useState(false);
  const { preferences, newest, storePreferences } = usePreferences(video);
  // Must stay above usePlayback(), which loses the position when the page is left.
  useProgressReports(video, progressSubject);
  const { revalidate: onRefusal } = useRevalidator();
  const playback = usePlayback(video, { ladder, startAt, requestedSize, playsAtOnce, onRefusal }, newest);
  const sizes = opened.map(({ size }) => size);
  const chosen =
    [requestedSize, playback.plainSize, ...sizes].find((size) => size !== null && sizes.includes(size)) ?? 0;
  const sources = useKept(withFirst(opened, chosen), playback.sizes.length > 0);
  const playNext = useNext(video, next, preferences.playsNext);
  usePlayerKeys(video, { seconds: more.seconds, startAt }, newest);
  useSourceChange(video, sources[0]?.url);
  useMediaSession(video, { title, artist: more.artist, picture: poster, startAt, onNext: playNext });
  useEffect(() => setIsReady(true), []);
  const fragment = startAt > 0 ? `#t=${startAt}` : "";
  return (
    <div className={styles.player} data-player>
      <div className={styles.frame} style={{ aspectRatio: `${width} / ${height}` }}>
        {/* biome-ignore lint/a11y/useMediaCaption: tracks come from the item; a video without speech has none. */}
        <video
          ref={video}
          className={styles.video}
          controls
          playsInline
          preload="metadata"
          poster={poster}
          width={width}
          height={height}
          aria-label={title}
          data-timeline={isReady || undefined}
          data-caption-size={preferences.captionSize}
          data-caption-background={preferences.captionBackground}
        >
          {sources.map(({ url, contentType }) => (
            <source key={url} src={`${url}${fragment}`} type={contentType} />
          ))}
          {captions.map(({ url, language, label }) => (
            <track key={url} kind="captions" src={url} srcLang={language} label={label} />
          ))}
        </video>
      </div>
      <Timeline
        video={video}
        seconds={more.seconds}
        startAt={startAt}
        markers={more.markers}
        sprites={more.sprites}
        isReady={isReady}
      />
      <Bar
        video={video}
        playback={playback}
        links={{ sizes, chosen }}
        rungCount={ladder?.rungs.length ?? 0}
        audioTrackCount={ladder?.audioTrackCount ?? 0}
        captions={captions}
        next={next}
        preferences={preferences}
        storePreferences={storePreferences}
        isReady={isReady}
      />
      <PlaybackError video={video} sentence={playback.error} onTryAgain={playback.tryAgain} />
    </div>
  );
}

function useNext(
  video: RefObject<HTMLVideoElement>,
  next: NextVideo | null,
  playsNext: boolean,
): (() => void) | null {
  const navigate = useNavigate();
  const slug = next?.slug;
  const open = useCallback(() => {
    if (slug !== undefined) navigate(paths.media("video", slug), { state: { playsAtOnce: true } });
  }, [navigate, slug]);
  useEffect(() => {
    const player = video.current;
    if (!player || !playsNext || slug === undefined) return;
    player.addEventListener("ended", open);
    return () => player.removeEventListener("ended", open);
  }, [video, playsNext, slug, open]);
  return slug === undefined ? null : open;
}

/** Browsers play the first source that they can. */
function withFirst(sources: PlayerProps["sources"], chosen: number): PlayerProps["sources"] {
  return sources.toSorted((a, b) => Number(b.size === chosen) - Number(a.size === chosen));
}

/** With ManagedMediaSource hls.js removes the sources, and React must not look for them. */
function useKept<Value>(value: Value, isKept: boolean): Value {
  const kept = useRef(value);
  if (!isKept) kept.current = value;
  return kept.current;
}

/** Browsers keep their first source; when another becomes the first, playback continues there. */
function useSourceChange(video: RefObject<HTMLVideoElement>, first: string | undefined): void {
  const shown = useRef(first);

  useEffect(() => {
    if (!video.current || shown.current === first) return;
    shown.current = first;
    // A ladder has no links to other sources.
    if (!video.current.hasAttribute("src")) reload(video.current);
  }, [video, first]);
}
