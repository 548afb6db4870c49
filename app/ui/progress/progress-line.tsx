import { type MediaType, paths, type ViewAs } from "#app/paths.ts";
import { SiteLink } from "#app/ui/navigation/site-link.tsx";
import { buttonClass } from "#app/ui/parts/button.tsx";
import { clock } from "#app/ui/parts/clock.ts";
import { CheckIcon } from "#app/ui/parts/icons.tsx";
import { MediaForm } from "../forms/media-form.tsx";
import styles from "./progress.module.css";

interface ProgressLineProps {
  media: { id: string; type: MediaType; slug: string };
  resumeAt: number | null;
  isCompleted: boolean;
  photoCount?: number;
  as?: ViewAs | null;
}

export function ProgressLine({ media, resumeAt, isCompleted, photoCount, as = null }: ProgressLineProps) {
  if (resumeAt === null && !isCompleted) return null;
  const here = paths.media(media.type, media.slug, { as: as ?? undefined });
  return (
    <div className={styles.line}>
      {isCompleted ? (
        <p className={styles.seen}>
          <CheckIcon size={16} /> Seen
        </p>
      ) : media.type === "video" ? (
        <p>You stopped at {clock(resumeAt ?? 0)}</p>
      ) : (
        <SiteLink
          className={buttonClass()}
          to={paths.photo(media.slug, resumeAt ?? 1, { as: as ?? undefined })}
          data-photo={resumeAt ?? 1}
        >
          Continue at photo {resumeAt} of {photoCount}
        </SiteLink>
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
