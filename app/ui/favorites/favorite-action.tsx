import { Link } from "@remix-run/react";
import { type MediaType, paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/parts/button.tsx";
import { HeartIcon } from "#app/ui/parts/icons.tsx";
import { FavoriteButton } from "../cards/favorite-button.tsx";

interface FavoriteActionProps {
  media: { id: string; type: MediaType; slug: string; title: string };
  /** Null when signed out: the button then leads to the sign-in. */
  isFavorited: boolean | null;
}

export function FavoriteAction({ media, isFavorited }: FavoriteActionProps) {
  if (isFavorited === null) {
    return (
      <Link className={buttonClass("quiet")} to={paths.signIn(paths.media(media.type, media.slug))}>
        <HeartIcon /> Sign in to mark as favorite
      </Link>
    );
  }
  return <FavoriteButton mediaId={media.id} title={media.title} isFavorited={isFavorited} withLabel />;
}
