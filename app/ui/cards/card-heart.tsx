import type { MediaCardView } from "#app/domain/catalog/cards/cards.server.ts";
import { paths } from "#app/paths.ts";
import styles from "./favorite-button.module.css";
import { useFavorite, useFavoriteForms } from "./favorite-forms.tsx";

interface CardHeartProps {
  media: Pick<MediaCardView, "id" | "title">;
  isFavorited: boolean;
  /** The id of the list's forms. */
  list: string;
}

/** All hearts of a list share its two forms, because a form in each card was a third of the card's elements. */
export function CardHeart({ media: { id, title }, isFavorited, list }: CardHeartProps) {
  const { isOn, error, toggle } = useFavorite(id, undefined, isFavorited);
  return (
    <>
      <button
        type="submit"
        form={formId(list, !isOn)}
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

/** What a list's hearts send without JavaScript. A form that no heart sends is left out. */
export function HeartForms({ list, hearts }: { list: string; hearts: { isFavorited: boolean | null }[] }) {
  const { here } = useFavoriteForms();
  const forms = [true, false].filter((isFavorited) =>
    hearts.some((heart) => heart.isFavorited === !isFavorited),
  );
  return forms.map((isFavorited) => (
    <form
      key={String(isFavorited)}
      method="post"
      action={paths.api.favorites()}
      id={formId(list, isFavorited)}
      hidden
    >
      <input type="hidden" name="isFavorited" value={String(isFavorited)} />
      <input type="hidden" name="next" value={here} />
    </form>
  ));
}

/** React's ids have colons, which CSS and links to an id read otherwise. */
function formId(list: string, isFavorited: boolean): string {
  return `${isFavorited ? "add" : "remove"}-${list.replaceAll(":", "")}`;
}
