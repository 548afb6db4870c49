import { Link, useLocation } from "@remix-run/react";
import type { MouseEvent, RefObject } from "react";
import { clock } from "#app/ui/parts/format-length.ts";
import { useQuery } from "./address.ts";
import bar from "./bar.module.css";
import styles from "./player.module.css";
import type { Sprite } from "./sprites.ts";
import { seek, wantToPlay } from "./way-of-playing.ts";

/** Identifies one opening of the video: a chapter link opens it anew, a quality link does not. */
export function useOpening(): string {
  const { key, state } = useLocation();
  return (state as { opening?: string } | null)?.opening ?? key;
}

interface QualityLinksProps {
  /** Shorter sides in pixels, longest first. */
  qualities: number[];
  chosen: number;
  onChoose: (quality: number) => void;
}

/** Plain links work without JavaScript; with it, playback continues. */
export function QualityLinks({ qualities, chosen, onChoose }: QualityLinksProps) {
  const search = useQuery();
  const opening = useOpening();
  return (
    <nav className={bar.links} aria-label="Quality">
      {qualities.map((quality) => (
        <Link
          key={quality}
          to={withQuery(search, "q", quality)}
          state={{ opening }}
          preventScrollReset
          onClick={() => onChoose(quality)}
          aria-current={quality === chosen ? "true" : undefined}
        >
          {quality}p
        </Link>
      ))}
    </nav>
  );
}

/** Keeps the other choices of the address. */
function withQuery(search: string, name: "q" | "t", value: number): string {
  const query = new URLSearchParams(search);
  query.set(name, String(value));
  return `?${query}`;
}

interface ChaptersProps {
  video: RefObject<HTMLVideoElement>;
  markers: { atSeconds: number; title: string; picture: Omit<Sprite, "fromSeconds"> | null }[];
}

export function Chapters({ video, markers }: ChaptersProps) {
  const search = useQuery();
  if (markers.length === 0) return null;
  const open = (event: MouseEvent, seconds: number) => {
    if (!video.current || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    seek(video.current, seconds);
    wantToPlay(video.current);
    video.current.scrollIntoView({ block: "nearest" });
  };
  return (
    <section className={styles.chapters} aria-labelledby="chapters">
      <h2 id="chapters">Chapters</h2>
      <ol>
        {markers.map(({ atSeconds, title, picture }) => (
          <li key={atSeconds}>
            <Link
              to={withQuery(search, "t", Math.floor(atSeconds))}
              preventScrollReset
              onClick={(event) => open(event, atSeconds)}
            >
              {picture ? (
                <img
                  src={picture.url}
                  alt=""
                  width={picture.width}
                  height={picture.height}
                  loading="lazy"
                  decoding="async"
                  style={{
                    width: picture.width,
                    height: picture.height,
                    objectPosition: `-${picture.x}px -${picture.y}px`,
                  }}
                />
              ) : null}
              <span className={styles.chapter}>
                {title} <span>{clock(atSeconds)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
