import type { RefObject } from "react";
import { buttonClass } from "../parts/button.tsx";
import styles from "./player.module.css";

interface PlaybackErrorProps {
  video: RefObject<HTMLVideoElement>;
  sentence: string | null;
  onTryAgain: () => void;
}

export function PlaybackError({ video, sentence, onTryAgain }: PlaybackErrorProps) {
  const tryAgain = () => {
    // The button disappears, and its focus with it.
    video.current?.focus({ preventScroll: true });
    onTryAgain();
  };
  return (
    <div role="alert">
      {sentence === null ? null : (
        <p className={styles.error}>
          {sentence}
          <button type="button" className={buttonClass("quiet")} onClick={tryAgain}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}
