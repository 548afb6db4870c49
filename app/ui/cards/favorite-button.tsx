import { useFetchers, useLocation, useSubmit } from "@remix-run/react";
import { createContext, type FormEvent, type ReactNode, useContext } from "react";
import { paths } from "#app/paths.ts";
import { HeartIcon } from "#app/ui/parts/icons.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import styles from "./favorite-button.module.css";

interface FavoriteForms {
  here: string;
  /** By media id, and the number of a single photo behind it. */
  sent: ReadonlyMap<string, boolean>;
  send: (mediaId: string, photo: number | undefined, isFavorited: boolean) => void;
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
    send: (mediaId, photo, isFavorited) =>
      submit(
        {
          mediaId,
          isFavorited: String(isFavorited),
          ...(photo === undefined ? {} : { photo: String(photo) }),
        },
        {
          method: "post",
          action: paths.api.favorites(),
          navigate: false,
          fetcherKey: KEY + keyOf(mediaId, photo),
        },
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

function keyOf(mediaId: string, photo: number | undefined): string {
  return photo === undefined ? mediaId : `${mediaId} ${photo}`;
}

interface FavoriteButtonProps {
  mediaId: string;
  /** The number that a single photo of the set keeps. */
  photo?: number;
  title: string;
  isFavorited: boolean;
  withLabel?: boolean;
}

export function FavoriteButton({
  mediaId,
  photo,
  title,
  isFavorited,
  withLabel = false,
}: FavoriteButtonProps) {
  const { here, sent, send } = useContext(FavoriteFormsContext);
  const isOn = sent.get(keyOf(mediaId, photo)) ?? isFavorited;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send(mediaId, photo, !isOn);
  };

  return (
    <form method="post" action={paths.api.favorites()} onSubmit={onSubmit}>
      <input type="hidden" name="mediaId" value={mediaId} />
      {photo === undefined ? null : <input type="hidden" name="photo" value={photo} />}
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
