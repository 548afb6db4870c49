import { useNavigate, useRevalidator } from "@remix-run/react";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { paths } from "#app/paths.ts";
import type { ProgressSubject } from "../progress/send-progress.ts";
import { Bar, type NextVideo } from "./bar.tsx";
import styles from "./player.module.css";
import { usePlayerKeys } from "./player-keys.tsx";
import { Problem } from "./problem.tsx";
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
  /** The names of its creators. */
  artist: string;
  poster: string;
  width: number;
  height: number;
  seconds: number;
  /** The best first. */
  sources: { url: string; quality: number; contentType: string }[];
  /** The size of the page's address. */
  requested: number | null;
  ladder: Ladder | null;
  captions: { url: string; language: string; label: string }[];
  markers: { atSeconds: number; title: string }[];
  sprites: string | null;
  next: NextVideo | null;
  /**
   * Whole seconds. Read once, like `progressSubject`, `sources`, `ladder` and `captions`, when the page opens: revalidation must not
   * disturb playback, and the files that were replaced meanwhile still answer for a day.
   */
  startAt: number;
  progressSubject: ProgressSubject | null;
  /** The video before this one has ended, and its viewer wants the next. */
  playsAtOnce: boolean;
}

export function Player({ video, title, poster, width, height, requested, next, ...more }: PlayerProps) {
  const [{ startAt, progressSubject, sources: opened, ladder, captions, playsAtOnce }] = useState(more);
  const [isReady, setIsReady] = useState(false);
  const { preferences, newest, storePreferences } = usePreferences(video);
  // Before the way of playing, which forgets the position when the page is left.
  useProgressReports(video, progressSubject);
  const { revalidate: onRefusal } = useRevalidator();
  const playback = usePlayback(video, { ladder, startAt, requested, playsAtOnce, onRefusal }, newest);
  const qualities = opened.map(({ quality }) => quality);
  const chosen =
    [requested, playback.plainQuality, ...qualities].find(
      (quality) => quality !== null && qualities.includes(quality),
    ) ?? 0;
  const sources = useKept(withFirst(opened, chosen), playback.qualities.length > 0);
  const playNext = useNext(video, next, preferences.playsNext);
  usePlayerKeys(video, { seconds: more.seconds, startAt }, newest);
  useSourceChange(video, sources[0]?.url);
  useMediaSession(video, { title, artist: more.artist, picture: poster, startAt, onNext: playNext });
  useEffect(() => setIsReady(true), []);
  const fragment = startAt > 0 ? `#t=${startAt}` : "";
  return (
    <div className={styles.player} data-player>
      <div className={styles.frame} style={{ aspectRatio: `${width} / ${height}` }}>
        {/* biome-ignore lint/a11y/useMediaCaption: tracks come from the library; a video without speech has none. */}
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
        links={{ qualities, chosen }}
        rungCount={ladder?.rungs.length ?? 0}
        soundCount={ladder?.soundCount ?? 0}
        captions={captions}
        next={next}
        preferences={preferences}
        storePreferences={storePreferences}
        isReady={isReady}
      />
      <Problem video={video} sentence={playback.problem} onTryAgain={playback.tryAgain} />
    </div>
  );
}

/** Opens the next video, by itself only at the end and where the viewer has switched that on. */
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
  return sources.toSorted((a, b) => Number(b.quality === chosen) - Number(a.quality === chosen));
}

/** Where Media Source is managed, hls.js takes the sources out of the page: React must not look for them any more. */
function useKept<Value>(value: Value, isKept: boolean): Value {
  const kept = useRef(value);
  if (!isKept) kept.current = value;
  return kept.current;
}

/** A browser keeps the source that it began with. When another one becomes the first, playback continues there. */
function useSourceChange(video: RefObject<HTMLVideoElement>, first: string | undefined): void {
  const shown = useRef(first);

  useEffect(() => {
    if (!video.current || shown.current === first) return;
    shown.current = first;
    // A ladder that plays has no links to other sources.
    if (!video.current.hasAttribute("src")) reload(video.current);
  }, [video, first]);
}
