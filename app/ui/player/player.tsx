import { type RefObject, useEffect, useRef, useState } from "react";
import { buttonClass } from "../parts/button.tsx";
import type { ProgressSubject } from "../progress/send-progress.ts";
import { reload, usePlaybackProblem } from "./playback-problem.ts";
import styles from "./player.module.css";
import { usePlayerKeys } from "./player-keys.tsx";
import { useProgressReports } from "./use-progress-reports.ts";

interface PlayerProps {
  title: string;
  poster: string;
  width: number;
  height: number;
  sources: { url: string; contentType: string }[];
  captions: { url: string; language: string; label: string }[];
  /** Whole seconds. Read once, like `progress`, when the page opens: revalidation must not disturb playback. */
  startAt: number;
  progress: ProgressSubject | null;
}

export function Player({ title, poster, width, height, sources, captions, ...opening }: PlayerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [{ startAt, progress }] = useState(opening);
  useProgressReports(video, progress);
  usePlayerKeys(video);
  useSourceChange(video, sources[0]?.url);
  const { sentence, tryAgain } = usePlaybackProblem(video);
  const fragment = startAt > 0 ? `#t=${startAt}` : "";
  return (
    <>
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
        >
          {sources.map(({ url, contentType }) => (
            <source key={url} src={`${url}${fragment}`} type={contentType} />
          ))}
          {captions.map(({ url, language, label }) => (
            <track key={url} kind="captions" src={url} srcLang={language} label={label} />
          ))}
        </video>
      </div>
      <div role="alert">
        {sentence !== null && (
          <p className={styles.problem}>
            {sentence}
            <button type="button" className={buttonClass("quiet")} onClick={tryAgain}>
              Try again
            </button>
          </p>
        )}
      </div>
    </>
  );
}

/** A browser keeps the source that it began with. When another one becomes the first, playback continues there. */
function useSourceChange(video: RefObject<HTMLVideoElement>, first: string | undefined): void {
  const shown = useRef(first);

  useEffect(() => {
    if (!video.current || shown.current === first) return;
    shown.current = first;
    reload(video.current, { isPaused: video.current.paused });
  }, [video, first]);
}
