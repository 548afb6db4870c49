import { Link, useLocation } from "@remix-run/react";
import styles from "./player.module.css";
import { useOpening } from "./use-opening.ts";

interface QualityLinksProps {
  /** Lines, tallest first. */
  heights: number[];
  chosen: number;
}

/** Plain links, so that the choice works without JavaScript too; with it the film goes on. Nothing where there is no choice. */
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
