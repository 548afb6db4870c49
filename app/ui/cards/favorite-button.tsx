import { paths } from "#app/paths.ts";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import styles from "./favorite-button.module.css";
import { useFavorite } from "./favorite-forms.tsx";

interface FavoriteButtonProps {
  mediaId: string;
  photo?: number;
  title: string;
  isFavorited: boolean;
  withLabel?: boolean;
}

export function FavoriteButton({
  mediaId,
  photo,
  title,
  isFavorited,
  withLabel = false,
}: FavoriteButtonProps) {
  const { here, isOn, error, toggle } = useFavorite(mediaId, photo, isFavorited);
  return (
    <form method="post" action={paths.api.favorites()} className={styles.form} onSubmit={toggle}>
      <input type="hidden" name="mediaId" value={mediaId} />
      {photo === undefined ? null : <input type="hidden" name="photo" value={photo} />}
      <input type="hidden" name="isFavorited" value={String(!isOn)} />
      <input type="hidden" name="next" value={here} />
      <button type="submit" className={withLabel ? styles.worded : styles.button} aria-pressed={isOn}>
        {withLabel ? "Favorite" : null}
        <VisuallyHidden>{withLabel ? `: ${title}` : `Favorite: ${title}`}</VisuallyHidden>
      </button>
      {error === null ? null : (
        <span role="alert" className={styles.error}>
          Favorite {error}
        </span>
      )}
    </form>
  );
}
