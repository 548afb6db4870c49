import { useEffect, useState } from "react";
import { paths } from "#app/paths.ts";
import { HeartIcon } from "#app/ui/parts/icons.tsx";
import { saveNewest } from "./save-newest.ts";
import styles from "./viewer.module.css";
import type { ViewerPhoto } from "./viewer-set.ts";

const SAVED_WITHIN_MS = 8_000;
const NOT_SAVED = "not saved. Try again.";
const NOT_OPEN = "not saved, because it is no longer open to you.";

interface PhotoHeartProps {
  mediaId: string;
  photo: ViewerPhoto;
}

/** Not the heart of the pages, which loads the page below again with each press. */
export function PhotoHeart({ mediaId, photo }: PhotoHeartProps) {
  // A new object with each press and answer, because the photo itself holds its mark.
  const [{ problem }, setAnswer] = useState<{ problem: string | null }>({ problem: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message is read before the photo is turned.
  useEffect(() => setAnswer({ problem: null }), [photo]);
  const press = async () => {
    const wanted = photo.isFavorited !== true;
    photo.isFavorited = wanted;
    setAnswer({ problem: null });
    const outcome = await saveNewest(`${mediaId} ${photo.number}`, wanted, (value) =>
      savePhotoFavorite(mediaId, photo.number, value),
    );
    photo.isFavorited = outcome.stored;
    // Another photo may be shown by now.
    setAnswer({ problem: outcome.problem && `Photo ${photo.position}: ${outcome.problem}` });
  };
  return (
    <>
      <span role="status" className={styles.problem}>
        {problem}
      </span>
      <button
        type="button"
        className={styles.button}
        aria-label={`Favorite: photo ${photo.position}`}
        title="Favorite"
        aria-pressed={photo.isFavorited === true}
        onClick={press}
      >
        <HeartIcon filled={photo.isFavorited === true} />
      </button>
    </>
  );
}

/** Why it was not saved; null when it was. */
async function savePhotoFavorite(
  mediaId: string,
  photo: number,
  isFavorited: boolean,
): Promise<string | null> {
  try {
    const response = await fetch(paths.api.favorites(), {
      method: "POST",
      body: new URLSearchParams({ mediaId, photo: String(photo), isFavorited: String(isFavorited) }),
      redirect: "manual",
      signal: AbortSignal.timeout(SAVED_WITHIN_MS),
    });
    if (response.type === "opaqueredirect" || response.status === 401) return "not saved. Sign in again.";
    // The same press in another tab has left nothing to remove.
    if (response.ok || (response.status === 404 && !isFavorited)) return null;
    return [403, 404, 410].includes(response.status) ? NOT_OPEN : NOT_SAVED;
  } catch {
    return NOT_SAVED;
  }
}
