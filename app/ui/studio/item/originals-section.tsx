import { Link } from "@remix-run/react";
import { FormSection } from "#app/ui/forms/form-section.tsx";
import { DownloadIcon } from "#app/ui/parts/icons.tsx";
import { VisuallyHidden } from "#app/ui/parts/visually-hidden.tsx";
import { clock, count } from "../../parts/format-length.ts";
import styles from "./item.module.css";

interface OriginalsSectionProps {
  /** Those of the whole item. */
  files: number;
  size: string;
  /** Those of a video, or of the photos of this page. */
  shown: {
    url: string;
    /** Null for a video. A photo that is left out has no position. */
    photo: { position: number | null } | null;
    fileName: string;
    size: string;
    kind: string;
    seconds: number | null;
  }[];
  mayFetch: boolean;
  /** False for an item that is taken down. */
  isShown: boolean;
  pages: { previous: string | null; next: string | null; text: string } | null;
}

export function OriginalsSection({ files, size, shown, mayFetch, isShown, pages }: OriginalsSectionProps) {
  return (
    <FormSection
      id="originals"
      title="Originals"
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
          No original is kept: the item was imported before the site kept them, or while it kept none.
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
                // Without "download", which would save the page of a sign-in that has become too old.
                // In a tab of its own, so that no browser asks about a page with something typed.
                <a href={url} target="_blank" rel="noreferrer">
                  <DownloadIcon /> Download <VisuallyHidden>{fileName}</VisuallyHidden>
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      {files > 0 && pages !== null && (pages.previous ?? pages.next) !== null && (
        <nav className={styles.pages} aria-label="Pages of originals">
          {pages.previous === null ? <span /> : <Link to={pages.previous}>← Originals before</Link>}
          <span className={styles.muted}>{pages.text}</span>
          {pages.next === null ? <span /> : <Link to={pages.next}>Originals after →</Link>}
        </nav>
      )}
    </FormSection>
  );
}

function whoFetches({ mayFetch, isShown }: Pick<OriginalsSectionProps, "mayFetch" | "isShown">): string {
  if (!isShown) return "Nobody gets them while the item is taken down.";
  return mayFetch
    ? "The audit log says who downloaded them. They may tell where and with what they were taken."
    : "A publisher or an owner can download them.";
}
