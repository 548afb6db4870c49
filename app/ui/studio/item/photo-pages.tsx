import { Link } from "@remix-run/react";
import styles from "./item.module.css";

export interface ShownPages {
  previous: string | null;
  next: string | null;
  text: string;
}

/** `name`: for assistive technology, because a page has several. */
export function PhotoPages({ pages, name }: { pages: ShownPages; name: string }) {
  if (pages.previous === null && pages.next === null) return null;
  return (
    <nav className={styles.pages} aria-label={name}>
      {pages.previous === null ? <span /> : <Link to={pages.previous}>← Previous photos</Link>}
      <span className={styles.muted}>{pages.text}</span>
      {pages.next === null ? <span /> : <Link to={pages.next}>Next photos →</Link>}
    </nav>
  );
}
