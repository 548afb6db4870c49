import type { FavoritePhoto } from "#app/domain/favorites/list-photo-favorites.server.ts";
import { paths, photoAnchor } from "#app/paths.ts";
import { CardGrid } from "#app/ui/cards/card-grid.tsx";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { EmptyState } from "#app/ui/parts/empty-state.tsx";
import { LockIcon } from "#app/ui/parts/icons.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { FavoriteButton } from "../cards/favorite-button.tsx";
import { FavoriteTombstone } from "./favorite-tombstone.tsx";
import styles from "./photo-favorites.module.css";

const SIZES = "(min-width: 80rem) 13rem, (min-width: 48em) 25vw, 46vw";

export function PhotoFavoriteList({ photos }: { photos: FavoritePhoto[] }) {
  if (photos.length === 0) {
    return (
      <EmptyState title="No favorite photos yet">
        <p>
          Press the heart below a photo to keep it here. Start with the{" "}
          <SiteLink to={paths.list("photoSet")}>photo sets</SiteLink>.
        </p>
      </EmptyState>
    );
  }
  return (
    <CardGrid shape="tall">
      {photos.map(({ mediaId, photo, shown }, index) => {
        const key = `${mediaId}-${photo}`;
        if (shown === null) return <FavoriteTombstone key={key} mediaId={mediaId} photo={photo} />;
        return <PhotoCard key={key} mediaId={mediaId} photo={photo} shown={shown} priority={index < 6} />;
      })}
    </CardGrid>
  );
}

interface PhotoCardProps {
  mediaId: string;
  photo: number;
  shown: NonNullable<FavoritePhoto["shown"]>;
  priority: boolean;
}

function PhotoCard({ mediaId, photo, shown, priority }: PhotoCardProps) {
  const { slug, title, position, count, isLocked, picture } = shown;
  const name = `Photo ${position} of ${title}`;
  return (
    <article className={styles.card} id={photoAnchor(mediaId, photo)}>
      <div className={styles.picture}>
        <Picture picture={picture} sizes={SIZES} priority={priority} />
        {isLocked ? (
          <span className={styles.lock}>
            <LockIcon size={16} />
          </span>
        ) : null}
      </div>
      <div className={styles.words}>
        <div>
          <h3 className={styles.title}>
            <SiteLink to={paths.photo(slug, position)}>{title}</SiteLink>
          </h3>
          <p className={styles.number}>
            Photo {position} of {count}
            {isLocked ? <VisuallyHidden>, locked</VisuallyHidden> : null}
          </p>
        </div>
        <FavoriteButton mediaId={mediaId} photo={photo} title={name} isFavorited />
      </div>
    </article>
  );
}
