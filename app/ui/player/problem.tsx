import type { RefObject } from "react";
import { buttonClass } from "../parts/button.tsx";
import styles from "./player.module.css";

interface ProblemProps {
  video: RefObject<HTMLVideoElement>;
  /** Why the video does not go on; null when it does. */
  sentence: string | null;
  onTryAgain: () => void;
}

export function Problem({ video, sentence, onTryAgain }: ProblemProps) {
  const tryAgain = () => {
    // The button goes away, and the focus would with it.
    video.current?.focus({ preventScroll: true });
    onTryAgain();
  };
  return (
    <div role="alert">
      {sentence === null ? null : (
        <p className={styles.problem}>
          {sentence}
          <button type="button" className={buttonClass("quiet")} onClick={tryAgain}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}
