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

interface ItemHeadingProps {
  type: MediaType;
  slug: string;
  state: MediaState;
  isExpired: boolean;
  durationSeconds: number | null;
  photoCount: number | null;
  cover: PictureView | null;
  sections: readonly (readonly [id: string, title: string])[];
}

export function ItemHeading({
  type,
  slug,
  state,
  isExpired,
  durationSeconds,
  photoCount,
  cover,
  sections,
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
      <nav aria-label="Sections" className={styles.sections}>
        {sections.map(([id, name]) => (
          <a key={id} href={`#${id}`}>
            {name}
          </a>
        ))}
      </nav>
    </div>
  );
}

interface ItemParts {
  isDeleted: boolean;
  captions: unknown;
  video: unknown;
  trailer: unknown;
  photos: unknown;
  leftOut: unknown;
  encoding: unknown;
  draftLinks?: unknown;
}

export function itemSections(page: ItemParts) {
  const all = [
    ["publication", "Publication", true],
    ["text", "Text", !page.isDeleted],
    ["credits", "Credits", !page.isDeleted],
    ["tags", "Tags", !page.isDeleted],
    ["dates", "Dates", !page.isDeleted],
    ["access", "Access", !page.isDeleted],
    ["shoot", "Shoot", !page.isDeleted],
    ["cover", "Cover", !page.isDeleted],
    ["captions", "Captions", !page.isDeleted && page.captions !== null],
    ["chapters", "Chapters", !page.isDeleted && page.video !== null],
    ["trailer", "Trailer", !page.isDeleted && page.trailer !== null],
    ["photos", "Photos", !page.isDeleted && page.photos !== null],
    ["order", "Order of photos", !page.isDeleted && page.photos !== null],
    ["photoFiles", "Add and replace", !page.isDeleted && page.photos !== null],
    ["leftOut", "Left out", !page.isDeleted && page.leftOut !== null],
    ["encoding", "Encoding", !page.isDeleted && page.encoding !== null],
    ["originals", "Originals", !page.isDeleted],
    ["draftLinks", "Draft links", page.draftLinks !== undefined],
    ["history", "History", true],
  ] as const;
  return all.flatMap(([id, name, isThere]) => (isThere ? [[id, name] as const] : []));
}
