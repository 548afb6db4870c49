import { useFetchers, useLocation, useSubmit } from "@remix-run/react";
import { createContext, type FormEvent, type ReactNode, useContext } from "react";
import { paths } from "#app/paths.ts";
import { HeartIcon } from "#app/ui/parts/icons.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import styles from "./favorite-button.module.css";

interface FavoriteForms {
  here: string;
  /** By media id. */
  sent: ReadonlyMap<string, boolean>;
  send: (mediaId: string, isFavorited: boolean) => void;
}

const KEY = "favorite ";
const FavoriteFormsContext = createContext<FavoriteForms>({ here: "/", sent: new Map(), send() {} });

/** Serves all hearts of a page, because the router's hooks in each of them are slow to render. */
export function FavoriteFormsProvider({ children }: { children: ReactNode }) {
  const submit = useSubmit();
  const { pathname, search } = useLocation();
  const forms: FavoriteForms = {
    here: pathname + search,
    sent: sentBy(useFetchers()),
    // Without `next` the server returns the row instead of a redirect.
    send: (mediaId, isFavorited) =>
      submit(
        { mediaId, isFavorited: String(isFavorited) },
        { method: "post", action: paths.api.favorites(), navigate: false, fetcherKey: KEY + mediaId },
      ),
  };
  return <FavoriteFormsContext.Provider value={forms}>{children}</FavoriteFormsContext.Provider>;
}

function sentBy(fetchers: ReturnType<typeof useFetchers>): ReadonlyMap<string, boolean> {
  const sending = fetchers.filter(({ key, formData }) => key.startsWith(KEY) && formData !== undefined);
  return new Map(
    sending.map(({ key, formData }) => [key.slice(KEY.length), formData?.get("isFavorited") === "true"]),
  );
}

interface FavoriteButtonProps {
  mediaId: string;
  title: string;
  isFavorited: boolean;
  withLabel?: boolean;
}

export function FavoriteButton({ mediaId, title, isFavorited, withLabel = false }: FavoriteButtonProps) {
  const { here, sent, send } = useContext(FavoriteFormsContext);
  const isOn = sent.get(mediaId) ?? isFavorited;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send(mediaId, !isOn);
  };

  return (
    <form method="post" action={paths.api.favorites()} onSubmit={onSubmit}>
      <input type="hidden" name="mediaId" value={mediaId} />
      <input type="hidden" name="isFavorited" value={String(!isOn)} />
      <input type="hidden" name="next" value={here} />
      <button type="submit" className={withLabel ? styles.worded : styles.button} aria-pressed={isOn}>
        <HeartIcon filled={isOn} />
        {withLabel ? "Favorite" : null}
        <VisuallyHidden>{withLabel ? `: ${title}` : `Favorite: ${title}`}</VisuallyHidden>
      </button>
    </form>
  );
}
