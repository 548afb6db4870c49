import type { CSSProperties } from "react";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { paths, type ViewAs } from "#app/paths.ts";
import { useFavoriteForms } from "#app/ui/cards/favorite-forms.tsx";
import { favoriteKey } from "#app/ui/cards/save-favorite.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { HeartIcon } from "#app/ui/parts/icons.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { Picture } from "../parts/picture.tsx";
import styles from "./photo-grid.module.css";

const SIZES = "(min-width: 48em) 25vw, 50vw";
/** A photo with a larger ratio fills most of a row. */
const WIDE_RATIO = 1.8;
/** The usual height of a row. */
const ROW_REM = 22;

export interface GridPhoto {
  position: number;
  number: number;
  picture: PictureView;
  isFavorited: boolean | null;
}

interface PhotoGridProps {
  mediaId: string;
  slug: string;
  photos: GridPhoto[];
  count: number;
  as: ViewAs | null;
}

export function PhotoGrid({ mediaId, slug, photos, count, as }: PhotoGridProps) {
  const { presses } = useFavoriteForms();
  return (
    <ol className={styles.grid}>
      {photos.map(({ position, number, picture, isFavorited }, index) => {
        const { isOn = isFavorited, error = null } = presses.get(favoriteKey(mediaId, number)) ?? {};
        const ratio = picture.width / picture.height;
        return (
          <li key={position} style={{ flexGrow: ratio, "--ratio": ratio } as CSSProperties}>
            <SiteLink
              className={styles.link}
              to={paths.photo(slug, position, { as: as ?? undefined })}
              data-photo={position}
            >
              <Picture
                picture={picture}
                sizes={sizesOf(ratio)}
                priority={index < 4}
                className={styles.photo}
              />
              <span className={styles.number} aria-hidden>
                {position}
                {isOn ? <HeartIcon filled /> : null}
              </span>
              <VisuallyHidden>
                Photo {position} of {count}
                {isOn ? ", a favorite" : null}
              </VisuallyHidden>
            </SiteLink>
            {error === null ? null : (
              <p role="alert" className={styles.error}>
                Favorite {error}
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function sizesOf(ratio: number): string {
  return ratio > WIDE_RATIO
    ? `(min-width: 80em) ${Math.min(Math.ceil(ratio * ROW_REM), 80)}rem, 100vw`
    : SIZES;
}
