import { paths } from "#app/paths.ts";
import { MediaForm } from "../forms/media-form.tsx";
import styles from "../progress/progress.module.css";

interface FavoriteTombstoneProps {
  mediaId: string;
  photo?: number;
}

export function FavoriteTombstone({ mediaId, photo }: FavoriteTombstoneProps) {
  return (
    <div className={styles.gone}>
      <p>No longer available</p>
      <MediaForm action={paths.api.favorites()} mediaId={mediaId}>
        {photo === undefined ? null : <input type="hidden" name="photo" value={photo} />}
        <input type="hidden" name="isFavorited" value="false" />
        <button type="submit" className={styles.remove}>
          Remove
        </button>
      </MediaForm>
    </div>
  );
}
