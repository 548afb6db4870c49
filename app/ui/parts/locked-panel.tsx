import { Form, Link } from "@remix-run/react";
import type { NextStep } from "#app/domain/billing/rules/next-step.ts";
import type { PictureView } from "#app/domain/catalog/media/picture-view.ts";
import { buttonClass } from "./button.tsx";
import { LockIcon } from "./icons.tsx";
import styles from "./panel.module.css";
import { Picture } from "./picture.tsx";

interface LockedPanelProps {
  blur: PictureView;
  sentence: string;
  next: NextStep;
  plan?: { prices: string; trial: string | null } | null;
}

export function LockedPanel({ blur, sentence, next, plan = null }: LockedPanelProps) {
  return (
    <div className={styles.locked}>
      <Picture className={styles.blur} picture={blur} sizes="(min-width: 80rem) 80rem, 100vw" priority />
      <div className={styles.over}>
        <LockIcon size={28} />
        <p>{sentence}</p>
        {plan ? (
          <p>
            <strong>{plan.prices}</strong>
            {plan.trial ? ` ${plan.trial}` : null}
          </p>
        ) : null}
        <LockedStep {...next} />
      </div>
    </div>
  );
}

/** Plain markup, because watch pages load none of Mantine's styles. */
export function LockedStep({ label, href, isPosted }: NextStep) {
  if (!isPosted) {
    return (
      <Link to={href} className={buttonClass()}>
        {label}
      </Link>
    );
  }
  return (
    <Form method="post" action={href}>
      <button type="submit" className={buttonClass()}>
        {label}
      </button>
    </Form>
  );
}
