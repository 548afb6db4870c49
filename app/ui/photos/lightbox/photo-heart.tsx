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

/** Not FavoriteButton, which would reload the page below. */
export function PhotoHeart({ mediaId, photo }: PhotoHeartProps) {
  const { presses, press } = useFavoriteForms();
  const pressed = presses.get(favoriteKey(mediaId, photo.number))?.isOn;
  const isOn = pressed ?? photo.isFavorited === true;
  const [error, setError] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error belongs to the photo that was shown.
  useEffect(() => setError(null), [photo]);
  useEffect(() => {
    // A press is forgotten once the data of the page below contains it.
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
      <span role="status" className={styles.error}>
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
