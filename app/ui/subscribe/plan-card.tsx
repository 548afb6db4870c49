import styles from "./plan-card.module.css";

export interface PlanCardProps {
  name: string;
  description: string;
  /** ISO 4217, lower case. */
  currency: string;
  /** In the currency's smallest unit. */
  amount: number;
  interval: "day" | "week" | "month" | "year";
  intervalCount: number;
  trialDays: number | null;
  monthly: number;
  /** 0 to 1. */
  saving: number;
}

const SAVING_WORTH_SAYING = 0.01;

export function PlanCard(plan: PlanCardProps) {
  const isMonthly = plan.interval === "month" && plan.intervalCount === 1;
  return (
    <article className={styles.plan}>
      <h3 className={styles.name}>{plan.name}</h3>
      <p className={styles.price}>
        <span className={styles.amount}>{money(plan.amount, plan.currency)}</span> {period(plan)}
      </p>
      {isMonthly ? null : (
        <p className={styles.note}>
          {money(plan.monthly, plan.currency)} a month
          {plan.saving >= SAVING_WORTH_SAYING ? (
            <strong className={styles.saving}>, {Math.round(plan.saving * 100)} % less</strong>
          ) : null}
        </p>
      )}
      {plan.trialDays ? <p className={styles.note}>{plan.trialDays} days free to begin with</p> : null}
      {plan.description ? <p className={styles.note}>{plan.description}</p> : null}
    </article>
  );
}

function period({ interval, intervalCount }: PlanCardProps): string {
  return intervalCount === 1 ? `a ${interval}` : `every ${intervalCount} ${interval}s`;
}

/** The server's words in every browser, so a fixed locale. */
function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
