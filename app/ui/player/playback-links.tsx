import { Link, useLocation } from "@remix-run/react";
import { clock } from "#app/ui/parts/format-length.ts";
import styles from "./player.module.css";

/** Identifies one opening of the video: a chapter link opens it anew, a quality link does not. */
export function useOpening(): string {
  const { key, state } = useLocation();
  return (state as { opening?: string } | null)?.opening ?? key;
}

interface QualityLinksProps {
  /** Shorter sides in pixels, longest first. */
  qualities: number[];
  chosen: number;
}

/** Plain links work without JavaScript; with it, playback continues. Empty when there is no choice. */
export function QualityLinks({ qualities, chosen }: QualityLinksProps) {
  const { search } = useLocation();
  const opening = useOpening();
  if (qualities.length < 2) return null;
  return (
    <nav className={styles.qualities} aria-label="Quality">
      <span aria-hidden="true">Quality</span>
      {qualities.map((quality) => (
        <Link
          key={quality}
          to={withQuality(search, quality)}
          state={{ opening }}
          preventScrollReset
          aria-current={quality === chosen ? "true" : undefined}
        >
          {quality}p
        </Link>
      ))}
    </nav>
  );
}

function withQuality(search: string, quality: number): string {
  const query = new URLSearchParams(search);
  query.set("q", String(quality));
  return `?${query}`;
}

export function Chapters({ markers }: { markers: { atSeconds: number; title: string }[] }) {
  if (markers.length === 0) return null;
  return (
    <section>
      <h2>Chapters</h2>
      <ol className={styles.chapters}>
        {markers.map(({ atSeconds, title }) => (
          <li key={atSeconds}>
            <Link to={`?t=${Math.floor(atSeconds)}`} preventScrollReset>
              <span>{clock(atSeconds)}</span> {title}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
