import { Link } from "@remix-run/react";
import { count } from "#app/counts.ts";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { type NameKind, paths } from "#app/paths.ts";
import { Picture } from "#app/ui/parts/picture.tsx";
import styles from "./names.module.css";

interface NameHeadingProps {
  kind: NameKind;
  slug: string;
  works: number;
  isPublic: boolean;
  portrait: PictureView | null;
}

export function NameHeading({ kind, slug, works, isPublic, portrait }: NameHeadingProps) {
  return (
    <div className={styles.heading}>
      {portrait && <Picture picture={portrait} sizes="4rem" className={styles.thumbnail} priority />}
      <Link to={paths.studioMedia({ [kind]: slug })}>{worksText(kind, works)}</Link>
      {kind === "creator" ? (
        <Link to={paths.creator(slug)}>
          {isPublic ? "View the page" : "View the page, which only staff can see"}
        </Link>
      ) : (
        <Link to={paths.list("video", { tag: slug })}>Its videos on the site</Link>
      )}
    </div>
  );
}

export function worksText(kind: NameKind, works: number): string {
  return count(works, kind === "creator" ? "work" : "item");
}
