import { useState } from "react";
import { paths } from "#app/paths.ts";
import { HeartIcon } from "#app/ui/parts/icons.tsx";
import styles from "./viewer.module.css";
import type { ViewerPhoto } from "./viewer-set.ts";

const SAVED_WITHIN_MS = 8_000;

interface PhotoHeartProps {
  mediaId: string;
  photo: ViewerPhoto;
}

/** Not the heart of the pages, which loads the page below again with each press. */
export function PhotoHeart({ mediaId, photo }: PhotoHeartProps) {
  const [isOn, setIsOn] = useState(photo.isFavorited === true);
  const [hasFailed, setHasFailed] = useState(false);
  const press = async () => {
    const wanted = !isOn;
    setIsOn(wanted);
    const saved = await savePhotoFavorite(mediaId, photo.number, wanted);
    setHasFailed(!saved);
    // The photo is shown again when the viewer comes back to it.
    if (saved) photo.isFavorited = wanted;
    else setIsOn(!wanted);
  };
  return (
    <>
      <span role="status" className={styles.problem}>
        {hasFailed ? "Not saved. Try again." : null}
      </span>
      <button
        type="button"
        className={styles.button}
        aria-label={`Favorite: photo ${photo.position}`}
        title="Favorite"
        aria-pressed={isOn}
        onClick={press}
      >
        <HeartIcon filled={isOn} />
      </button>
    </>
  );
}

async function savePhotoFavorite(mediaId: string, photo: number, isFavorited: boolean): Promise<boolean> {
  try {
    const response = await fetch(paths.api.favorites(), {
      method: "POST",
      body: new URLSearchParams({ mediaId, photo: String(photo), isFavorited: String(isFavorited) }),
      redirect: "manual",
      signal: AbortSignal.timeout(SAVED_WITHIN_MS),
    });
    // The same press in another tab has left nothing to remove.
    return response.ok || (response.status === 404 && !isFavorited);
  } catch {
    return false;
  }
}
