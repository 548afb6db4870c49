import { Link } from "@remix-run/react";
import { type MediaType, paths } from "#app/paths.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { clock } from "#app/ui/cards/length.ts";
import { CheckIcon } from "#app/ui/icons.tsx";
import { MediaForm } from "./media-form.tsx";
import styles from "./viewing.module.css";

interface PlaceLineProps {
  media: { id: string; type: MediaType; slug: string };
  /** Seconds of a film, number of a photo; null means from the beginning. */
  resumeAt: number | null;
  isCompleted: boolean;
  /** "of 75": how many photos a set has. */
  photoCount?: number;
}

/** Where somebody stopped, the way on, and the way back to the beginning. Nothing for what was never opened. */
export function PlaceLine({ media, resumeAt, isCompleted, photoCount }: PlaceLineProps) {
  if (resumeAt === null && !isCompleted) return null;
  const here = paths.media(media.type, media.slug);
  return (
    <div className={styles.line}>
      {isCompleted ? (
        <p className={styles.seen}>
          <CheckIcon size={16} /> Seen to the end
        </p>
      ) : media.type === "video" ? (
        <p>You stopped at {clock(resumeAt ?? 0)}</p>
      ) : (
        <Link className={buttonClass()} to={paths.photo(media.slug, resumeAt ?? 1)}>
          Continue at photo {resumeAt} of {photoCount}
        </Link>
      )}
      {isCompleted ? null : (
        <MediaForm action={paths.api.viewsAction("start-over")} mediaId={media.id} next={here}>
          <button type="submit" className={buttonClass("quiet")}>
            Start over
          </button>
        </MediaForm>
      )}
    </div>
  );
}
