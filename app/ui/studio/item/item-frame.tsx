import { Link, NavLink } from "@remix-run/react";
import type { ReactNode } from "react";
import type { MediaState } from "#app/domain/catalog/media/media.server.ts";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { type MediaType, paths } from "#app/paths.ts";
import styles from "./item-frame.module.css";
import { ItemHeading } from "./item-heading.tsx";
import type { ItemPart } from "./item-parts.ts";

interface ItemFrameProps {
  id: string;
  type: MediaType;
  slug: string;
  state: MediaState;
  isExpired: boolean;
  durationSeconds: number | null;
  photoCount: number | null;
  cover: PictureView | null;
  problems: { to: string; sentence: string }[];
  parts: ItemPart[];
  nextDraft: string | null;
  isOverview: boolean;
  children: ReactNode;
}

/** State, problems and parts stay in sight. A phone shows the list of parts on the overview, and elsewhere a link back to it. */
export function ItemFrame({
  id,
  problems,
  parts,
  nextDraft,
  isOverview,
  children,
  ...heading
}: ItemFrameProps) {
  return (
    <div className={styles.item} data-overview={isOverview || undefined}>
      <ItemHeading {...heading} />
      {problems.length > 0 && (
        <section aria-labelledby="problems-title" className={styles.problems}>
          <h2 id="problems-title">
            {problems.length === 1 ? "One thing to look at" : `${problems.length} things to look at`}
          </h2>
          <ul>
            {problems.map(({ to, sentence }) => (
              <li key={sentence}>
                <Link to={to}>{sentence}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className={styles.back}>
        <Link to={paths.studioItem(id)}>‹ All parts of this item</Link>
      </p>
      <nav aria-label="Parts" className={styles.parts}>
        <ul>
          {parts.map(({ to, name, holds }) => (
            <li key={to}>
              <PartLink to={to}>
                <span>{name}</span> {holds !== "" && <span className={styles.holds}>{holds}</span>}
              </PartLink>
            </li>
          ))}
        </ul>
        {nextDraft !== null && (
          <p>
            <Link to={paths.studioItem(nextDraft)}>Next draft ›</Link>
          </p>
        )}
      </nav>
      <div className={styles.part}>{children}</div>
    </div>
  );
}

/** A link to a section of the overview is never the current page. */
function PartLink({ to, children }: { to: string; children: ReactNode }) {
  if (to.includes("#")) return <Link to={to}>{children}</Link>;
  return (
    <NavLink to={to} end>
      {children}
    </NavLink>
  );
}
