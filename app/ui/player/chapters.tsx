import { Link } from "@remix-run/react";
import { clock } from "#app/ui/cards/length.ts";
import styles from "./player.module.css";

/** Each leads to the film at its moment, with and without JavaScript. */
export function Chapters({ markers }: { markers: { atSeconds: number; title: string }[] }) {
  if (markers.length === 0) return null;
  return (
    <section>
      <h2>Chapters</h2>
      <ol className={styles.chapters}>
        {markers.map(({ atSeconds, title }) => (
          <li key={atSeconds}>
            <Link to={`?t=${Math.floor(atSeconds)}`} preventScrollReset>
              <span>{clock(atSeconds)}</span> {title}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
