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
  signIn: string | null;
  plan: Plan | null;
}

interface Plan {
  prices: string;
  cost: string;
  firstPeriod: string | null;
}

export function LockedPanel({ blur, sentence, plan, ...steps }: LockedPanelProps) {
  return (
    <div className={styles.locked}>
      <Picture className={styles.blur} picture={blur} sizes="(min-width: 80rem) 80rem, 100vw" priority />
      <div className={styles.over}>
        <LockIcon size={28} />
        <p>{sentence}</p>
        {plan ? (
          <p>
            <strong>{plan.prices}</strong>
            {plan.firstPeriod ? ` ${plan.firstPeriod}` : null}
          </p>
        ) : null}
        <LockedSteps {...steps} plan={plan} />
      </div>
    </div>
  );
}

/** Without plans a visitor can only sign in. */
export function LockedSteps({ next, signIn, plan }: Pick<LockedPanelProps, "next" | "signIn" | "plan">) {
  if (signIn === null) return <LockedStep {...next} />;
  if (plan === null) return <LockedStep label="Sign in / Sign Up" href={signIn} isPosted={false} />;
  return (
    <div className={styles.steps}>
      <LockedStep {...next} label={`Subscribe ${plan.cost}`} />
      <Link to={signIn} className={buttonClass("quiet")}>
        Sign in
      </Link>
    </div>
  );
}

/** Plain markup, because watch pages load none of Mantine's styles. */
function LockedStep({ label, href, isPosted }: NextStep) {
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
