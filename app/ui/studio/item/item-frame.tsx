import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { paths } from "#app/paths.ts";
import styles from "../parts-frame.module.css";
import { type Part, PartsFrame } from "../parts-frame.tsx";
import { ItemHeading, type ItemHeadingProps } from "./item-heading.tsx";

interface ItemFrameProps extends ItemHeadingProps {
  id: string;
  problems: { to: string; sentence: string }[];
  parts: Part[];
  nextDraft: string | null;
  draftsLeft: number;
  children: ReactNode;
}

/** State and problems stay in sight, too. */
export function ItemFrame({
  id,
  problems,
  parts,
  nextDraft,
  draftsLeft,
  children,
  ...heading
}: ItemFrameProps) {
  return (
    <PartsFrame
      overview={paths.studioItem(id)}
      back="All parts of this item"
      parts={parts}
      above={
        <>
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
        </>
      }
      below={
        nextDraft !== null && (
          <p>
            <Link to={paths.studioItem(nextDraft)}>Next newer draft ({draftsLeft} left) ›</Link>
          </p>
        )
      }
    >
      {children}
    </PartsFrame>
  );
}
