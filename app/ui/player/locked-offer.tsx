import { Link } from "@remix-run/react";
import { count } from "#app/counts.ts";
import type { NextStep } from "#app/domain/billing/rules/next-step.ts";
import type { ShootPreview } from "#app/domain/catalog/media/photos.server.ts";
import { LockedSteps } from "../parts/locked-panel.tsx";
import { Picture } from "../parts/picture.tsx";
import { VisuallyHidden } from "../parts/visually-hidden.tsx";
import styles from "./watch.module.css";

interface OfferProps {
  sentence: string;
  next: NextStep;
  signIn: string | null;
  hasTrailer: boolean;
  /** Null when no subscription is needed, or the viewer has one. */
  plan: { prices: string; cost: string; firstPeriod: string | null } | null;
  inside: { videos: number; photoSets: number; creators: number; ending: string } | null;
}

export const OFFER = "offer";

export function Offer({ sentence, next, signIn, hasTrailer, plan, inside }: OfferProps) {
  return (
    <section className={styles.offer} aria-labelledby={OFFER}>
      <h2 id={OFFER} tabIndex={-1}>
        {hasTrailer ? "Watch the whole video" : "Watch this video"}
      </h2>
      <p>{sentence}</p>
      {plan ? (
        <p className={styles.price}>
          {plan.prices}
          {plan.firstPeriod ? <span className={styles.note}> {plan.firstPeriod}</span> : null}
        </p>
      ) : null}
      <LockedSteps next={next} signIn={signIn} plan={plan} />
      {inside ? (
        <ul>
          <li>
            Every video and photo set: {count(inside.videos, "video")}, {count(inside.photoSets, "photo set")}{" "}
            by {count(inside.creators, "creator")}
          </li>
          <li>All sizes, and your progress on all your devices</li>
          <li>{inside.ending}</li>
        </ul>
      ) : null}
    </section>
  );
}

export function FreePhotos({ photos }: { photos: ShootPreview[] }) {
  if (photos.length === 0) return null;
  return (
    <section className={styles.free}>
      <h2>Free photos from the same shoot</h2>
      <ul>
        {photos.map(({ href, picture }, index) => (
          <li key={href}>
            <Link to={href}>
              <Picture picture={picture} sizes="(min-width: 48em) 16rem, 50vw" />
              <VisuallyHidden>Free photo {index + 1}</VisuallyHidden>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
