import styles from "./player.module.css";

interface PlayerProps {
  title: string;
  poster: string;
  width: number;
  height: number;
  sources: { url: string; height: number; contentType: string }[];
  captions: { url: string; language: string; label: string }[];
  /** Where to begin, in whole seconds: part of the address, so that it works without JavaScript. */
  startAt: number;
}

export function Player({ title, poster, width, height, sources, captions, startAt }: PlayerProps) {
  const fragment = startAt > 0 ? `#t=${startAt}` : "";
  return (
    <div className={styles.frame} style={{ aspectRatio: `${width} / ${height}` }}>
      {/* The tracks come from the library; a film without speech has none. */}
      {/* biome-ignore lint/a11y/useMediaCaption: captions are rendered where the film has them */}
      <video
        key={fragment}
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
