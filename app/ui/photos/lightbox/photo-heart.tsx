import { useEffect, useState } from "react";
import { useFavoriteForms } from "#app/ui/cards/favorite-forms.tsx";
import { favoriteKey } from "#app/ui/cards/save-favorite.ts";
import { HeartIcon } from "#app/ui/parts/icons.tsx";
import styles from "./lightbox.module.css";
import type { LightboxPhoto } from "./lightbox-set.ts";

interface PhotoHeartProps {
  mediaId: string;
  photo: LightboxPhoto;
}

/** The heart of pages would load the page below again. */
export function PhotoHeart({ mediaId, photo }: PhotoHeartProps) {
  const { presses, press } = useFavoriteForms();
  const pressed = presses.get(favoriteKey(mediaId, photo.number))?.isOn;
  const isOn = pressed ?? photo.isFavorited === true;
  const [error, setError] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message is read before the photo is turned.
  useEffect(() => setError(null), [photo]);
  useEffect(() => {
    // Presses are forgotten once the page below has them.
    if (pressed !== undefined) photo.isFavorited = pressed;
  }, [photo, pressed]);
  const onClick = async () => {
    setError(null);
    const outcome = await press(mediaId, photo.number, !isOn);
    // Another photo may be shown by now.
    photo.isFavorited = outcome.stored;
    setError(outcome.error && `Photo ${photo.position}: ${outcome.error}`);
  };
  return (
    <>
      <span role="status" className={styles.problem}>
        {error}
      </span>
      <button
        type="button"
        className={styles.button}
        aria-label={`Favorite: photo ${photo.position}`}
        title="Favorite"
        aria-pressed={isOn}
        onClick={onClick}
      >
        <HeartIcon filled={isOn} />
      </button>
    </>
  );
}
