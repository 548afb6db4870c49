import { Link } from "@remix-run/react";
import { type MediaType, paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/parts/button.tsx";
import styles from "../cards/favorite-button.module.css";
import { FavoriteButton } from "../cards/favorite-button.tsx";

interface FavoriteActionProps {
  media: { id: string; type: MediaType; slug: string; title: string };
  photo?: { number: number; position: number };
  /** Null when signed out. */
  isFavorited: boolean | null;
}

export function FavoriteAction({ media, photo, isFavorited }: FavoriteActionProps) {
  const { type, slug, title } = media;
  if (isFavorited === null) {
    const here = photo ? paths.photo(slug, photo.position) : paths.media(type, slug);
    return (
      <Link className={`${buttonClass("quiet")} ${styles.pictured}`} to={paths.signIn(here)}>
        Sign in to mark as favorite
      </Link>
    );
  }
  const subject = photo ? { photo: photo.number, title: `photo ${photo.position} of ${title}` } : { title };
  return <FavoriteButton mediaId={media.id} {...subject} isFavorited={isFavorited} withLabel />;
}
