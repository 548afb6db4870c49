import styles from "./catalog.module.css";
import { PrefetchLink } from "./prefetch-link.tsx";

interface PageLinksProps {
  /** URLs; null at the end of the list. */
  previous: string | null;
  next: string | null;
}

export function PageLinks({ previous, next }: PageLinksProps) {
  if (previous === null && next === null) return null;
  return (
    <nav className={styles.pages} aria-label="Pages">
      {previous === null ? (
        <span />
      ) : (
        <PrefetchLink to={previous} rel="prev">
          ← Previous page
        </PrefetchLink>
      )}
      {next === null ? null : (
        <PrefetchLink to={next} rel="next">
          Next page →
        </PrefetchLink>
      )}
    </nav>
  );
}
