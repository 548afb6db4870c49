import type { NextStep } from "#app/domain/billing/next-step.ts";
import type { PictureView } from "#app/domain/catalog/card.ts";
import { LockIcon } from "#app/ui/icons.tsx";
import { Picture } from "#app/ui/photos/picture.tsx";
import { NextStepButton } from "./next-step-button.tsx";
import styles from "./panel.module.css";

interface LockedPanelProps {
  /** The soft blur made by the server. */
  blur: PictureView;
  /** One sentence why. */
  sentence: string;
  next: NextStep;
}

export function LockedPanel({ blur, sentence, next }: LockedPanelProps) {
  return (
    <div className={styles.locked}>
      <Picture className={styles.blur} picture={blur} sizes="(min-width: 80rem) 80rem, 100vw" priority />
      <div className={styles.over}>
        <LockIcon size={28} />
        <p>{sentence}</p>
        <NextStepButton {...next} />
      </div>
    </div>
  );
}
