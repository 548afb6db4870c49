import { Link, useLocation } from "@remix-run/react";
import { clock } from "#app/ui/parts/format-length.ts";
import styles from "./player.module.css";

/** Identifies one opening of the video: a chapter link opens it anew, a quality link does not. */
export function useOpening(): string {
  const { key, state } = useLocation();
  return (state as { opening?: string } | null)?.opening ?? key;
}

interface QualityLinksProps {
  /** Video heights in pixels, tallest first. */
  heights: number[];
  chosen: number;
}

/** Plain links work without JavaScript; with it, playback continues. Empty when there is no choice. */
export function QualityLinks({ heights, chosen }: QualityLinksProps) {
  const { search } = useLocation();
  const opening = useOpening();
  if (heights.length < 2) return null;
  return (
    <nav className={styles.qualities} aria-label="Quality">
      <span aria-hidden="true">Quality</span>
      {heights.map((height) => (
        <Link
          key={height}
          to={withHeight(search, height)}
          state={{ opening }}
          preventScrollReset
          aria-current={height === chosen ? "true" : undefined}
        >
          {height}p
        </Link>
      ))}
    </nav>
  );
}

function withHeight(search: string, height: number): string {
  const query = new URLSearchParams(search);
  query.set("q", String(height));
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
