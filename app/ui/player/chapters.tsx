import { Link } from "@remix-run/react";
import type { MouseEvent, RefObject } from "react";
import { clock } from "#app/ui/parts/clock.ts";
import { useAddressQuery, withQuery } from "./address.ts";
import styles from "./player.module.css";
import type { Sprite } from "./sprites.ts";
import { seek, wantToPlay } from "./video-element.ts";

interface ChaptersProps {
  video: RefObject<HTMLVideoElement>;
  markers: { atSeconds: number; title: string; picture: Omit<Sprite, "fromSeconds"> | null }[];
}

export function Chapters({ video, markers }: ChaptersProps) {
  const search = useAddressQuery();
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
