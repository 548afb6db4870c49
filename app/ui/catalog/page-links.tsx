import { PrefetchLink } from "../navigation/site-link.tsx";
import styles from "./catalog.module.css";

interface PageLinksProps {
  previous: string | null;
  next: string | null;
  previousLabel?: string;
  nextLabel?: string;
}

export function PageLinks({
  previous,
  next,
  previousLabel = "← Previous page",
  nextLabel = "Next page →",
}: PageLinksProps) {
  if (previous === null && next === null) return null;
  return (
    <nav className={styles.pages} aria-label="Pages">
      {previous === null ? (
        <span />
      ) : (
        <PrefetchLink to={previous} rel="prev">
          {previousLabel}
        </PrefetchLink>
      )}
      {next === null ? null : (
        <PrefetchLink to={next} rel="next">
          {nextLabel}
        </PrefetchLink>
      )}
    </nav>
  );
}
