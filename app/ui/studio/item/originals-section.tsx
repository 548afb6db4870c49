import { count } from "#app/counts.ts";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { DownloadIcon } from "#app/ui/parts/icons.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { clock } from "../../parts/clock.ts";
import styles from "./item.module.css";
import { PhotoPages, type ShownPages } from "./photo-pages.tsx";

interface OriginalsSectionProps {
  files: number;
  size: string;
  shown: {
    url: string;
    /** Null for a video. A left-out photo has no position. */
    photo: { position: number | null } | null;
    fileName: string;
    size: string;
    kind: string;
    seconds: number | null;
  }[];
  mayFetch: boolean;
  isShown: boolean;
  pages: ShownPages;
}

export function OriginalsSection({ files, size, shown, mayFetch, isShown, pages }: OriginalsSectionProps) {
  return (
    <FormSection
      id="originals"
      title="Originals"
      isAlone
      about={
        files > 0 && (
          <p>
            {count(files, "file")} as imported, {size}. {whoFetches({ mayFetch, isShown })}
          </p>
        )
      }
    >
      {files === 0 ? (
        <p className={styles.muted}>
          There are no originals. The site did not keep them when this item was imported.
        </p>
      ) : (
        <ul className={styles.lines}>
          {shown.map(({ url, photo, fileName, size: own, kind, seconds }) => (
            <li key={url}>
              <div>
                <p>
                  {photo !== null && (photo.position === null ? "Left out: " : `Photo ${photo.position}: `)}
                  {fileName}
                </p>
                <p className={styles.muted}>
                  {own}, {kind}
                  {seconds !== null && `, ${clock(seconds)}`}
                </p>
              </div>
              {mayFetch && (
                // Without "download", which would save the sign-in page once the sign-in is too old.
                // In its own tab, so that the browser does not ask about unsaved changes.
                <a href={url} target="_blank" rel="noreferrer">
                  <DownloadIcon /> Download <VisuallyHidden>{fileName}</VisuallyHidden>
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      {files > 0 && <PhotoPages pages={pages} name="Pages of originals" />}
    </FormSection>
  );
}

function whoFetches({ mayFetch, isShown }: Pick<OriginalsSectionProps, "mayFetch" | "isShown">): string {
  if (!isShown) return "Nobody can download them while the item is taken down.";
  return mayFetch
    ? "The audit log records each download. Originals may reveal the location and the camera."
    : "A publisher or an owner can download them.";
}
