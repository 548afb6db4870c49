import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { CheckIcon } from "#app/ui/parts/icons.tsx";
import "#app/ui/theme/mantine.css";
import studioStyles from "../studio.module.css";
import styles from "./item.module.css";

interface ItemSectionProps {
  /** Anchor to which a browser without JavaScript returns after a change. */
  id: string;
  title: string;
  about?: ReactNode;
  done?: string | undefined;
  children: ReactNode;
}

export function ItemSection({ id, title, about, done, children }: ItemSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-heading`} className={styles.section}>
      <Stack gap="xs">
        <h2 id={`${id}-heading`}>{title}</h2>
        {about !== undefined && <div className={styles.muted}>{about}</div>}
      </Stack>
      <Stack gap="lg">
        {/* Always rendered, because assistive technology announces only changes to its content. */}
        <div role="status" className={styles.status}>
          {done !== undefined && (
            <p className={studioStyles.done}>
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
