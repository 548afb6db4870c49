import { Children, type ReactNode } from "react";
import styles from "./card-grid.module.css";

interface CardGridProps {
  shape: "wide" | "tall";
  /** Chooses column counts at which 8 wide or 6 tall cards fill whole rows. */
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
