import type { CSSProperties } from "react";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { paths } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { Picture } from "../parts/picture.tsx";
import styles from "./photo-grid.module.css";

const SIZES = "(min-width: 48em) 25vw, 50vw";

interface PhotoGridProps {
  slug: string;
  photos: { position: number; picture: PictureView | null }[];
}

export function PhotoGrid({ slug, photos }: PhotoGridProps) {
  const open = photos.flatMap(({ position, picture }) => (picture ? [{ position, picture }] : []));
  return (
    <ol className={styles.grid}>
      {open.map(({ position, picture }) => {
        const ratio = picture.width / picture.height;
        return (
          <li key={position} style={{ flexGrow: ratio, "--ratio": ratio } as CSSProperties}>
            <SiteLink to={paths.photo(slug, position)}>
              <Picture picture={picture} sizes={SIZES} priority={position <= 4} className={styles.photo} />
              <VisuallyHidden>
                Photo {position} of {photos.length}
              </VisuallyHidden>
            </SiteLink>
          </li>
        );
      })}
    </ol>
  );
}
