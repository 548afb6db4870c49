import { Children, type ReactNode } from "react";
import styles from "./card-grid.module.css";

interface CardGridProps {
  /** Posters of sets and creators are upright, so more of them stand in a row. */
  shape: "wide" | "tall";
  children: ReactNode;
}

export function CardGrid({ shape, children }: CardGridProps) {
  return (
    <ul className={`${styles.grid} ${styles[shape]}`}>
      {Children.map(children, (card) => (
        <li>{card}</li>
      ))}
    </ul>
  );
}
