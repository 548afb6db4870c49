import { Children, type ReactNode } from "react";
import styles from "./card-grid.module.css";

/** How wide a card's picture is shown. Must match the columns in card-grid.module.css. */
export const CARD_SIZES = {
  wide: "(min-width: 75em) 19rem, (min-width: 48em) 31vw, (min-width: 38em) 46vw, 92vw",
  tall: "(min-width: 75em) 15rem, (min-width: 48em) 24vw, 46vw",
};

interface CardGridProps {
  shape: keyof typeof CARD_SIZES;
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
