import { Link } from "@remix-run/react";
import type { MediaState } from "#app/domain/catalog/media/media.server.ts";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { paths } from "#app/paths.ts";
import { ErrorIcon } from "#app/ui/parts/icons.tsx";
import { Picture } from "#app/ui/parts/picture.tsx";
import rows from "../rows.module.css";
import { StateBadge } from "../state-badge.tsx";
import styles from "./list.module.css";

export interface MediaRowView {
  id: string;
  title: string;
  creators: string[];
  state: MediaState;
  isExpired: boolean;
  /** Type, access and dates. */
  facts: string[];
  problems: { to: string; sentence: string }[];
  /** How many problems the item's page lists besides. */
  others: number;
  cover: PictureView | null;
}

/** The form around them sends the ticked ones as `id`. */
export function MediaRows({ items }: { items: MediaRowView[] }) {
  return (
    <ul className={rows.rows}>
      {items.map((item) => (
        <li key={item.id} className={styles.row}>
          <label className={styles.box}>
            <input type="checkbox" name="id" value={item.id} aria-label={`Select ${item.title}`} />
          </label>
          <div className={`${rows.picture} ${styles.thumbnail}`}>
            {item.cover && <Picture picture={item.cover} sizes="6rem" />}
          </div>
          <div className={rows.words}>
            <h2 className={rows.title}>
              <Link to={paths.studioItem(item.id)}>{item.title}</Link>
            </h2>
            {item.creators.length > 0 && <p className={styles.creators}>{item.creators.join(", ")}</p>}
            <p className={rows.facts}>
              <StateBadge state={item.state} isExpired={item.isExpired} />
              {item.facts.map((fact) => (
                <span key={fact}>{fact}</span>
              ))}
            </p>
            {item.problems.length > 0 && (
              <p className={styles.problem}>
                <ErrorIcon size={16} />
                <span className={styles.solutions}>
                  {item.problems.map(({ to, sentence }) => (
                    <Link key={to} to={to}>
                      {sentence}
                    </Link>
                  ))}
                  {item.others > 0 && <Link to={paths.studioItem(item.id)}>{item.others} more</Link>}
                </span>
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
