import type { PlanView } from "#app/domain/billing/plan-view.ts";
import styles from "./plan-choice.module.css";

interface PlanChoiceProps {
  plan: PlanView;
  isChosen: boolean;
  children: React.ReactNode;
}

/** One plan to choose, and beside it what it means; that shows only while it is chosen. */
export function PlanChoice({ plan, isChosen, children }: PlanChoiceProps) {
  return (
    <div className={styles.plan}>
      <label className={styles.card}>
        <input type="radio" name="plan" value={plan.priceId} defaultChecked={isChosen} />
        <span className={styles.title}>{plan.title}</span>
        {plan.saving ? <span className={styles.saving}>{plan.saving}</span> : null}
        <span className={styles.price}>
          <span className={styles.sum}>{plan.sum}</span> {plan.per}
        </span>
        <span className={styles.note}>{[plan.monthly, plan.trial].filter(Boolean).join(" · ")}</span>
      </label>
      <div className={styles.panel}>{children}</div>
    </div>
  );
}
