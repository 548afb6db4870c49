import { useFetcher, useLocation } from "@remix-run/react";
import type { FormEvent } from "react";
import { paths } from "#app/paths.ts";
import { HeartIcon } from "#app/ui/parts/icons.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import styles from "./favorite-button.module.css";

interface FavoriteButtonProps {
  mediaId: string;
  title: string;
  isFavorited: boolean;
  withLabel?: boolean;
}

export function FavoriteButton({ mediaId, title, isFavorited, withLabel = false }: FavoriteButtonProps) {
  const fetcher = useFetcher();
  const { pathname, search } = useLocation();
  const sent = fetcher.formData?.get("isFavorited");
  const isOn = typeof sent === "string" ? sent === "true" : isFavorited;

  /** Without `next` the server returns the row instead of a redirect. */
  const send = (event: FormEvent) => {
    event.preventDefault();
    fetcher.submit(
      { mediaId, isFavorited: String(!isOn) },
      { method: "post", action: paths.api.favorites() },
    );
  };

  return (
    <fetcher.Form method="post" action={paths.api.favorites()} onSubmit={send}>
      <input type="hidden" name="mediaId" value={mediaId} />
      <input type="hidden" name="isFavorited" value={String(!isOn)} />
      <input type="hidden" name="next" value={pathname + search} />
      <button type="submit" className={withLabel ? styles.worded : styles.button} aria-pressed={isOn}>
        <HeartIcon filled={isOn} />
        {withLabel ? "Favorite" : null}
        <VisuallyHidden>{withLabel ? `: ${title}` : `Favorite: ${title}`}</VisuallyHidden>
      </button>
    </fetcher.Form>
  );
}
