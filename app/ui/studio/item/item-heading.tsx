import { Link } from "@remix-run/react";
import { count } from "#app/counts.ts";
import type { MediaState } from "#app/domain/catalog/media/media.server.ts";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { type MediaType, paths, VIEW_AS } from "#app/paths.ts";
import { Picture } from "#app/ui/parts/picture.tsx";
import { clock } from "../../parts/clock.ts";
import { TYPE_LABELS } from "../media-labels.ts";
import { StateBadge } from "../state-badge.tsx";
import styles from "./item.module.css";

export interface ItemHeadingProps {
  type: MediaType;
  slug: string;
  state: MediaState;
  isExpired: boolean;
  durationSeconds: number | null;
  photoCount: number | null;
  cover: PictureView | null;
}

export function ItemHeading({
  type,
  slug,
  state,
  isExpired,
  durationSeconds,
  photoCount,
  cover,
}: ItemHeadingProps) {
  const page = paths.media(type, slug);
  return (
    <div className={styles.heading}>
      {cover && <Picture picture={cover} sizes="10rem" className={styles.cover} priority />}
      <div className={styles.headingText}>
        <p className={styles.facts}>
          <StateBadge state={state} isExpired={isExpired} />
          <span>{TYPE_LABELS[type]}</span>
          {durationSeconds !== null && <span>{clock(durationSeconds)}</span>}
          {photoCount !== null && <span>{count(photoCount, "photo")}</span>}
        </p>
        {state === "deleted" ? null : (
          <p className={styles.viewAs}>
            <span className={styles.muted}>View page as:</span>
            {VIEW_AS.map((as) => (
              <Link key={as} to={`${page}?as=${as}`}>
                {as}
              </Link>
            ))}
            <Link to={page}>you</Link>
          </p>
        )}
      </div>
    </div>
  );
}
