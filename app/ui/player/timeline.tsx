import { type CSSProperties, type RefObject, useEffect, useRef, useState } from "react";
import { clock } from "../parts/clock.ts";
import { type Sprite, spriteAt, spritesIn } from "./sprites.ts";
import styles from "./timeline.module.css";
import { positionOf, STEP_SECONDS, seek } from "./video-element.ts";

const FINE_STEP_SECONDS = 1;
const LONG_FROM_SECONDS = 120;
const SPRITES_WITHIN_MS = 8_000;
const SPRITES_AGAIN_MS = 2_000;

interface TimelineProps {
  video: RefObject<HTMLVideoElement>;
  seconds: number;
  startAt: number;
  markers: { atSeconds: number; title: string }[];
  sprites: string | null;
  isReady: boolean;
}

/** Shows pictures, which the native controls cannot. */
export function Timeline({ video, seconds, startAt, markers, sprites, isReady }: TimelineProps) {
  const input = useRef<HTMLInputElement>(null);
  const [at, setAt] = useState(startAt);
  /** Screen readers announce each change of a focused timeline, so it stays still during playback. */
  const [spokenAt, setSpokenAt] = useState(startAt);
  const [previewAt, setPreviewAt] = useState<number | null>(null);
  const [pictures, setPictures] = useState<Sprite[]>([]);
  const hasRequested = useRef(false);
  const chapterAt = (time: number) => markers.findLast(({ atSeconds }) => atSeconds <= time)?.title;

  useEffect(() => {
    const [player, range] = [video.current, input.current];
    if (!player || !range) return;
    const follow = (event?: Event) => {
      if (range.matches(":active")) return;
      const position = positionOf(player, startAt);
      setAt(position);
      if (player.paused || event?.type === "seeking" || !range.matches(":focus")) setSpokenAt(position);
      // A focused timeline's picture follows the video; one under the pointer stays.
      if (!range.matches(":hover")) setPreviewAt((before) => (before === null ? null : position));
    };
    // React's onChange fires for each pixel, this event once.
    const choose = () => seek(player, Number(range.value));
    for (const event of ["timeupdate", "seeking"]) player.addEventListener(event, follow);
    range.addEventListener("change", choose);
    follow();
    return () => {
      for (const event of ["timeupdate", "seeking"]) player.removeEventListener(event, follow);
      range.removeEventListener("change", choose);
    };
  }, [video, startAt]);

  const loadPictures = () => {
    if (sprites === null || hasRequested.current) return;
    hasRequested.current = true;
    const load = async () => {
      const answer = await fetch(sprites, { signal: AbortSignal.timeout(SPRITES_WITHIN_MS) });
      if (!answer.ok) throw new Error(`The pictures answered ${answer.status}`);
      setPictures(spritesIn(await answer.text(), sprites));
    };
    void load().catch(() => setTimeout(() => (hasRequested.current = false), SPRITES_AGAIN_MS));
  };
  const showPreview = (pointed: number) => {
    loadPictures();
    setPreviewAt(Math.min(Math.max(pointed, 0), seconds));
  };
  const part = (of: number) => `${(Math.min(1, Math.max(0, of / Math.max(seconds, 1))) * 100).toFixed(2)}%`;

  return (
    <div
      className={styles.timeline}
      data-ready={isReady || undefined}
      style={{ "--at": part(previewAt ?? at), "--played": part(at) } as CSSProperties}
    >
      {previewAt === null ? null : (
        <ScenePreview
          sprite={spriteAt(pictures, previewAt)}
          words={[clock(previewAt), chapterAt(previewAt)]}
        />
      )}
      <div className={styles.track} aria-hidden="true">
        {markers.map(({ atSeconds }) =>
          atSeconds > 0 ? <i key={atSeconds} style={{ left: part(atSeconds) }} /> : null,
        )}
      </div>
      <input
        ref={input}
        type="range"
        min={0}
        max={Math.max(1, Math.floor(seconds))}
        step={seconds > LONG_FROM_SECONDS ? STEP_SECONDS.short : FINE_STEP_SECONDS}
        value={Math.floor(at)}
        aria-label="Find a scene"
        aria-valuetext={[clock(spokenAt), chapterAt(spokenAt)].filter(Boolean).join(", ")}
        onChange={(event) => {
          const chosen = Number(event.target.value);
          setAt(chosen);
          setSpokenAt(chosen);
          showPreview(chosen);
        }}
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          showPreview(((clientX - left) / width) * seconds);
        }}
        onPointerLeave={() => setPreviewAt(null)}
        onPointerCancel={() => setPreviewAt(null)}
        onFocus={({ target }) => target.matches(":focus-visible") && showPreview(at)}
        onBlur={() => setPreviewAt(null)}
      />
    </div>
  );
}

function ScenePreview({ sprite, words }: { sprite: Sprite | null; words: (string | undefined)[] }) {
  return (
    <div className={styles.preview} aria-hidden="true">
      {sprite ? (
        <span
          style={{
            width: sprite.width,
            height: sprite.height,
            backgroundImage: `url("${sprite.url}")`,
            backgroundPosition: `-${sprite.x}px -${sprite.y}px`,
          }}
        />
      ) : null}
      {words.filter(Boolean).join(" · ")}
    </div>
  );
}
