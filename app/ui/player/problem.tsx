import type { RefObject } from "react";
import { buttonClass } from "../parts/button.tsx";
import styles from "./player.module.css";

interface ProblemProps {
  video: RefObject<HTMLVideoElement>;
  sentence: string | null;
  onTryAgain: () => void;
}

export function Problem({ video, sentence, onTryAgain }: ProblemProps) {
  const tryAgain = () => {
    // The button disappears, and its focus with it.
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
