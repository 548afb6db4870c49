import { useRef, useState } from "react";
import type { PlaceSubject } from "./place-reporter.ts";
import styles from "./player.module.css";
import { usePlaceReports } from "./use-place-reports.ts";
import { usePlayerKeys } from "./use-player-keys.ts";
import { useSourceChange } from "./use-source-change.ts";

interface PlayerProps {
  title: string;
  poster: string;
  width: number;
  height: number;
  sources: { url: string; height: number; contentType: string }[];
  captions: { url: string; language: string; label: string }[];
  /**
   * Where to begin, in whole seconds: part of the address, so that it works without JavaScript. Like `place` it is taken
   * when the page opens: loading the page's data again must not disturb what is playing.
   */
  startAt: number;
  /** Whose place to remember; null for those without an account. */
  place: PlaceSubject | null;
}

export function Player({ title, poster, width, height, sources, captions, ...opening }: PlayerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [{ startAt, place }] = useState(opening);
  usePlaceReports(video, place);
  usePlayerKeys(video);
  useSourceChange(video, sources[0]?.url);
  const fragment = startAt > 0 ? `#t=${startAt}` : "";
  return (
    <div className={styles.frame} style={{ aspectRatio: `${width} / ${height}` }}>
      {/* The tracks come from the library; a film without speech has none. */}
      {/* biome-ignore lint/a11y/useMediaCaption: captions are rendered where the film has them */}
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
  );
}
