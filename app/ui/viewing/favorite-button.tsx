import { useFetcher, useLocation } from "@remix-run/react";
import type { FormEvent } from "react";
import { paths } from "#app/paths.ts";
import { HeartIcon } from "#app/ui/icons.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import styles from "./favorite-button.module.css";

interface FavoriteButtonProps {
  mediaId: string;
  title: string;
  isFavorited: boolean;
  /** Words beside the heart, where there is room for them. */
  withWords?: boolean;
}

export function FavoriteButton({ mediaId, title, isFavorited, withWords = false }: FavoriteButtonProps) {
  const fetcher = useFetcher();
  const { pathname, search } = useLocation();
  const sent = fetcher.formData?.get("isFavorited");
  const isOn = typeof sent === "string" ? sent === "true" : isFavorited;

  /** Without `next` the answer is the row, so the page stays as it is. */
  const sendInPlace = (event: FormEvent) => {
    event.preventDefault();
    fetcher.submit(
      { mediaId, isFavorited: String(!isOn) },
      { method: "post", action: paths.api.favorites() },
    );
  };

  return (
    <fetcher.Form method="post" action={paths.api.favorites()} onSubmit={sendInPlace}>
      <input type="hidden" name="mediaId" value={mediaId} />
      <input type="hidden" name="isFavorited" value={String(!isOn)} />
      <input type="hidden" name="next" value={pathname + search} />
      <button type="submit" className={withWords ? styles.worded : styles.button} aria-pressed={isOn}>
        <HeartIcon filled={isOn} />
        {withWords ? "Favorite" : null}
        <VisuallyHidden>{withWords ? `: ${title}` : `Favorite: ${title}`}</VisuallyHidden>
      </button>
    </fetcher.Form>
  );
}
