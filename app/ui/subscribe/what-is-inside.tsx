import { count } from "#app/counts.ts";
import styles from "./subscribe.module.css";

export interface InsideTotalsProps {
  videos: number;
  videoSeconds: number;
  photoSets: number;
  photos: number;
  creators: number;
}

const HOUR_SECONDS = 3600;
const LONG_SECONDS = 2 * HOUR_SECONDS;

export function WhatIsInside({ totals }: { totals: InsideTotalsProps }) {
  return (
    <section className={styles.section}>
      <h2>What is inside</h2>
      <InsideTotals {...totals} />
      <ul className={styles.inside}>
        <li>
          <strong>Every video, every photo set</strong>
          <span>
            Complete, in sizes for small and large screens. Videos adapt to your connection, or play in the
            size you choose.
          </span>
        </li>
        <li>
          <strong>Progress</strong>
          <span>Stop anywhere and continue later, on this device or another.</span>
        </li>
        <li>
          <strong>Favorites</strong>
          <span>Keep what you love, even after a subscription ends.</span>
        </li>
        <li>
          <strong>Privacy</strong>
          <span>What you watch stays on this site.</span>
        </li>
      </ul>
    </section>
  );
}

export function InsideTotals({ videos, videoSeconds, photoSets, photos, creators }: InsideTotalsProps) {
  if (videos + photoSets === 0) return null;
  return (
    <ul className={styles.totals}>
      {videos > 0 ? <Total number={videos} one="video" more={length(videoSeconds)} /> : null}
      {photoSets > 0 ? <Total number={photoSets} one="photo set" more={count(photos, "photo")} /> : null}
      {creators > 0 ? <Total number={creators} one="creator" /> : null}
    </ul>
  );
}

function Total({ number, one, more }: { number: number; one: string; more?: string }) {
  return (
    <li>
      <strong className={styles.number}>{number.toLocaleString("en")}</strong>
      <span>{number === 1 ? one : `${one}s`}</span>
      {more ? <span className={styles.more}>{more}</span> : null}
    </li>
  );
}

function length(seconds: number): string {
  if (seconds >= LONG_SECONDS) return count(Math.round(seconds / HOUR_SECONDS), "hour");
  return count(Math.max(1, Math.round(seconds / 60)), "minute");
}
