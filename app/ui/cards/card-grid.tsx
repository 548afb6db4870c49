import { Children, type ReactNode, useEffect, useRef } from "react";
import styles from "./card-grid.module.css";

interface CardGridProps {
  shape: "wide" | "tall";
  /** Chooses column counts at which 8 wide or 6 tall cards fill whole rows. */
  hasWholeRows?: boolean;
  children: ReactNode;
}

export function CardGrid({ shape, hasWholeRows = false, children }: CardGridProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // Loaded by the first pointer: lists have no room for it.
    const load = () =>
      void import("./hover-preview.ts").then(
        ({ playPreviews }) => list.current && playPreviews(list.current),
      );
    const { current } = list;
    for (const event of ["pointerover", "focusin"]) current?.addEventListener(event, load, { once: true });
  }, []);
  return (
    <ul ref={list} className={`${styles.grid} ${styles[shape]} ${hasWholeRows ? styles.whole : ""}`}>
      {Children.map(children, (card) => (
        <li>{card}</li>
      ))}
    </ul>
  );
}
