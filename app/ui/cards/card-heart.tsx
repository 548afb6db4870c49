import type { MediaCardView } from "#app/domain/catalog/cards/cards.server.ts";
import styles from "./favorite-button.module.css";
import { FAVORITE_FORMS, useFavorite } from "./favorite-forms.tsx";

interface CardHeartProps {
  media: Pick<MediaCardView, "id" | "title">;
  isFavorited: boolean;
}

/** The hearts of all cards share two forms of the page, because a form in each card takes a third of its elements. */
export function CardHeart({ media: { id, title }, isFavorited }: CardHeartProps) {
  const { isOn, error, toggle } = useFavorite(id, undefined, isFavorited);
  return (
    <>
      <button
        type="submit"
        form={FAVORITE_FORMS[isOn ? "remove" : "add"]}
        name="mediaId"
        value={id}
        className={styles.heart}
        aria-label={`Favorite: ${title}`}
        aria-pressed={isOn}
        onClick={toggle}
      />
      {error === null ? null : (
        <span role="alert" className={styles.error}>
          Favorite {error}
        </span>
      )}
    </>
  );
}
