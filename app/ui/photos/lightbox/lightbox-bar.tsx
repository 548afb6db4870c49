import { Link } from "@remix-run/react";
import { useSyncExternalStore } from "react";
import { sizeText } from "#app/sizes.ts";
import { downloadAddress } from "#app/ui/parts/download-link.tsx";
import { DownloadIcon } from "#app/ui/parts/icons.tsx";
import type { Gallery, GalleryState } from "./gallery.ts";
import styles from "./lightbox.module.css";
import { FullScreenIcon, LeaveFullScreenIcon, PageIcon, PauseIcon, PlayIcon } from "./lightbox-icons.tsx";
import type { LightboxPhoto, LightboxSet } from "./lightbox-set.ts";
import { PhotoHeart } from "./photo-heart.tsx";
import { PACES, type Pace, useSlideshow } from "./slideshow.ts";

const START = "Start slideshow";
const STOP = "Stop slideshow";

interface LightboxBarProps {
  set: LightboxSet;
  photo: LightboxPhoto;
  /** Null on a photo's own page: closing the lightbox leads there. */
  page: string | null;
  state: GalleryState;
  gallery: Gallery;
}

export function LightboxBar({ set, photo, page, state, gallery }: LightboxBarProps) {
  const isFull = useSyncExternalStore(onFullScreen, isFullScreen, () => false);
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
      {photo.download ? (
        <a
          className={styles.button}
          href={downloadAddress(photo.download.url)}
          aria-label={`Download photo ${photo.position}, ${sizeText(photo.download.bytes)}`}
          title="Download"
        >
          <DownloadIcon size={22} />
        </a>
      ) : null}
      {page ? (
        // Replaces the lightbox's history entry, so that Back leads to the set.
        <Link
          className={styles.button}
          to={page}
          replace
          aria-label={`Open the page of photo ${photo.position}`}
          title="Open the page of this photo"
        >
          <PageIcon />
        </Link>
      ) : null}
      {isRunning ? (
        <select
          className={styles.pace}
          aria-label="Seconds per photo"
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
          className={styles.button}
          aria-label="Full screen"
          title="Full screen"
          aria-pressed={isFull}
          onClick={gallery.toggleFullScreen}
        >
          {isFull ? <LeaveFullScreenIcon /> : <FullScreenIcon />}
        </button>
      ) : null}
    </div>
  );
}

function isFullScreen(): boolean {
  return document.fullscreenElement !== null;
}

function onFullScreen(changed: () => void): () => void {
  document.addEventListener("fullscreenchange", changed);
  return () => document.removeEventListener("fullscreenchange", changed);
}
