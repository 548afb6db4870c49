import { InsideTotals, type InsideTotalsProps } from "./inside-totals.tsx";
import styles from "./subscribe.module.css";

export function WhatIsInside({ totals }: { totals: InsideTotalsProps }) {
  return (
    <section className={styles.section}>
      <h2>What is inside</h2>
      <InsideTotals {...totals} />
      <ul className={styles.inside}>
        <li>
          <strong>Every video, every photo set</strong>
          <span>Complete, in the best quality there is, on any device.</span>
        </li>
        <li>
          <strong>Your place is kept</strong>
          <span>Stop anywhere and go on later, on this device or another.</span>
        </li>
        <li>
          <strong>Favorites</strong>
          <span>Keep what you love. It stays yours when a subscription ends.</span>
        </li>
        <li>
          <strong>Privacy</strong>
          <span>Nothing you watch leaves this site.</span>
        </li>
      </ul>
    </section>
  );
}
