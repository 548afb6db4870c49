import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import "#app/ui/theme/mantine.css";
import { CheckIcon } from "#app/ui/parts/icons.tsx";
import { useBroughtIntoView } from "./brought-into-view.ts";
import styles from "./form-section.module.css";

interface FormSectionProps {
  /** Without JavaScript a browser returns to this anchor after a change. */
  id: string;
  title: string;
  about?: ReactNode;
  done?: string | undefined;
  /** The only one of its page: the fields stand below its heading. */
  isAlone?: boolean;
  children: ReactNode;
}

export function FormSection({ id, title, about, done, isAlone, children }: FormSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-heading`}
      className={styles.section}
      data-alone={isAlone || undefined}
    >
      <Stack gap="xs">
        <h2 id={`${id}-heading`}>{title}</h2>
        {about !== undefined && <div className={styles.about}>{about}</div>}
      </Stack>
      <Stack gap="lg">
        <DoneStatus done={done} />
        {children}
      </Stack>
    </section>
  );
}

/** Always rendered, because assistive technology announces only changes to its content. */
export function DoneStatus({ done }: { done: string | undefined }) {
  const ref = useBroughtIntoView<HTMLDivElement>(done !== undefined);
  return (
    <div role="status" className={styles.status} ref={ref}>
      {done !== undefined && (
        <p className={styles.done}>
          <CheckIcon />
          {done}
        </p>
      )}
    </div>
  );
}
