import { Children, type ReactNode } from "react";
import styles from "./card-grid.module.css";

interface CardGridProps {
  /** Posters of sets and creators are upright, so more of them stand in a row. */
  shape: "wide" | "tall";
  /** As many to a row as let 8 wide or 6 tall cards end in a whole one. */
  hasWholeRows?: boolean;
  children: ReactNode;
}

export function CardGrid({ shape, hasWholeRows = false, children }: CardGridProps) {
  return (
    <ul className={`${styles.grid} ${styles[shape]} ${hasWholeRows ? styles.whole : ""}`}>
      {Children.map(children, (card) => (
        <li>{card}</li>
      ))}
    </ul>
  );
}
