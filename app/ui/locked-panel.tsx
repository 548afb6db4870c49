import { Link } from "@remix-run/react";
import type { PictureView } from "#app/domain/catalog/card.ts";
import { LockIcon } from "#app/ui/icons.tsx";
import { Picture } from "#app/ui/photos/picture.tsx";
import { buttonClass } from "./button.tsx";
import styles from "./panel.module.css";

interface LockedPanelProps {
  /** The soft blur made by the server. */
  blur: PictureView;
  /** One sentence why. */
  sentence: string;
  button: { label: string; to: string };
}

export function LockedPanel({ blur, sentence, button }: LockedPanelProps) {
  return (
    <div className={styles.locked}>
      <Picture className={styles.blur} picture={blur} sizes="(min-width: 80rem) 80rem, 100vw" priority />
      <div className={styles.over}>
        <LockIcon size={28} />
        <p>{sentence}</p>
        <Link to={button.to} className={buttonClass()}>
          {button.label}
        </Link>
      </div>
    </div>
  );
}
