import type { ReactNode } from "react";
import { CheckIcon } from "#app/ui/icons.tsx";
import styles from "./account.module.css";

interface AccountSectionProps {
  /** The section's anchor: where a browser without JavaScript lands after a change. */
  id: string;
  title: string;
  /** One sentence below the title. */
  about?: string;
  /** What was just done here. */
  done?: string | undefined;
  children: ReactNode;
}

/** One concern of the account: what it is on one side, what can be done on the other. */
export function AccountSection({ id, title, about, done, children }: AccountSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={styles.section}>
      <div className={styles.head}>
        <h2 id={`${id}-title`}>{title}</h2>
        {about !== undefined && <p className={styles.about}>{about}</p>}
      </div>
      <div className={styles.body}>
        {/* Always there: assistive technology announces what comes into it. */}
        <div role="status" className={styles.status}>
          {done !== undefined && (
            <p className={styles.done}>
              <CheckIcon />
              {done}
            </p>
          )}
        </div>
        {children}
      </div>
    </section>
  );
}
