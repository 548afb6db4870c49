import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { CheckIcon } from "#app/ui/parts/icons.tsx";
import "#app/ui/theme/mantine.css";
import styles from "./account.module.css";

interface AccountSectionProps {
  /** Anchor to which a browser without JavaScript returns after a change. */
  id: string;
  title: string;
  about?: string;
  done?: string | undefined;
  children: ReactNode;
}

export function AccountSection({ id, title, about, done, children }: AccountSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={styles.section}>
      <Stack gap="xs">
        <h2 id={`${id}-title`}>{title}</h2>
        {about !== undefined && <p className={styles.muted}>{about}</p>}
      </Stack>
      <Stack gap="lg">
        {/* Always rendered, because assistive technology announces only changes to its content. */}
        <div role="status" className={styles.status}>
          {done !== undefined && (
            <p className={styles.done}>
              <CheckIcon />
              {done}
            </p>
          )}
        </div>
        {children}
      </Stack>
    </section>
  );
}
