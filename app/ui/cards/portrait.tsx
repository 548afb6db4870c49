import type { PictureView } from "#app/domain/catalog/card.ts";
import { initials } from "#app/ui/initials.ts";
import { Picture } from "#app/ui/photos/picture.tsx";
import styles from "./portrait.module.css";

interface PortraitProps {
  name: string;
  /** Null shows the initials. */
  picture: PictureView | null;
  sizes: string;
  priority?: boolean;
  className?: string | undefined;
}

export function Portrait({ name, picture, ...shown }: PortraitProps) {
  if (picture) return <Picture picture={picture} {...shown} />;
  return (
    <span className={styles.initials} aria-hidden="true">
      {initials(name)}
    </span>
  );
}
