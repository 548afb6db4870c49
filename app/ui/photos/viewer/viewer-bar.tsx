import { PhotoHeart } from "./photo-heart.tsx";
import type { Gallery, PhotoSwipeState } from "./photoswipe.ts";
import { PACES, type Pace, useSlideshow } from "./slideshow.ts";
import styles from "./viewer.module.css";
import { FullScreenIcon, PauseIcon, PlayIcon } from "./viewer-icons.tsx";
import type { ViewerPhoto, ViewerSet } from "./viewer-set.ts";

const START = "Start a slideshow";
const STOP = "Stop the slideshow";

interface ViewerBarProps {
  set: ViewerSet;
  photo: ViewerPhoto;
  state: PhotoSwipeState;
  gallery: Gallery;
}

export function ViewerBar({ set, photo, state, gallery }: ViewerBarProps) {
  const { toggle, isRunning, pace, setPace } = useSlideshow({
    index: state.index,
    isLast: state.index >= set.photos.length - 1,
    isStill: state.isSettled && !state.isZoomed && !state.isHeld,
    next: gallery.next,
    first: gallery.first,
  });
  return (
    <div className={styles.bar}>
      <p className={styles.counter} aria-live={isRunning ? "off" : "polite"}>
        {photo.position} of {set.count}
      </p>
      {photo.isFavorited === null ? null : <PhotoHeart mediaId={set.mediaId} photo={photo} />}
      {isRunning ? (
        <select
          className={styles.pace}
          aria-label="Seconds for each photo"
          value={pace}
          onChange={({ target }) => setPace(Number(target.value) as Pace)}
        >
          {PACES.map((seconds) => (
            <option key={seconds} value={seconds}>
              {seconds} s
            </option>
          ))}
        </select>
      ) : null}
      {toggle && set.photos.length > 1 ? (
        <button
          type="button"
          className={styles.button}
          aria-label={isRunning ? STOP : START}
          title={isRunning ? STOP : START}
          onClick={toggle}
        >
          {isRunning ? <PauseIcon /> : <PlayIcon />}
        </button>
      ) : null}
      {gallery.toggleFullScreen ? (
        <button
          type="button"
          className={`${styles.button} ${styles.fullScreen}`}
          aria-label="Full screen"
          title="Full screen"
          onClick={gallery.toggleFullScreen}
        >
          <FullScreenIcon />
        </button>
      ) : null}
    </div>
  );
}
