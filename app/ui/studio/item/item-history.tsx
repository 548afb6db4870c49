import { Link } from "@remix-run/react";
import styles from "./item.module.css";
import { ItemSection } from "./item-section.tsx";

interface ItemHistoryProps {
  entries: { id: string; at: string; actor: string; sentence: string }[];
  /** The whole log, for those who may read it. */
  all: string | null;
}

export function ItemHistory({ entries, all }: ItemHistoryProps) {
  return (
    <ItemSection id="history" title="Who did what" about={<p>The latest changes come first.</p>}>
      {entries.length === 0 ? (
        <p className={styles.muted}>Nobody has changed anything yet.</p>
      ) : (
        <ol className={styles.lines}>
          {entries.map(({ id, at, actor, sentence }) => (
            <li key={id}>
              <div>
                <p>{sentence}</p>
                <p className={styles.muted}>
                  {actor}, {at}
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
      {all !== null && (
        <p>
          <Link to={all}>All entries about this item</Link>
        </p>
      )}
    </ItemSection>
  );
}
