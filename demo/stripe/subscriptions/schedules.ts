import type Stripe from "stripe";
import { itemOf, planOf } from "../invoices/items.ts";
import type { Account } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { newId } from "../state/ids.ts";

/** Puts the subscription under a schedule with one phase, its current period. */
export function makeSchedule(
  account: Account,
  subscription: Stripe.Subscription,
): Stripe.SubscriptionSchedule {
  const { id, billing_mode, collection_method, customer, currency } = subscription;
  const {
    current_period_start: start_date,
    current_period_end: end_date,
    price,
    quantity,
  } = itemOf(subscription);
  const schedule: Stripe.SubscriptionSchedule = {
    id: newId("sub_sched"),
    object: "subscription_schedule",
    application: null,
    billing_mode,
    canceled_at: null,
    completed_at: null,
    created: account.now(),
    current_phase: { start_date, end_date },
    customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: "automatic",
      billing_thresholds: null,
      collection_method,
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: "self" },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: "release",
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [
      {
        add_invoice_items: [],
        application_fee_percent: null,
        billing_cycle_anchor: null,
        billing_thresholds: null,
        collection_method: null,
        currency,
        default_payment_method: null,
        default_tax_rates: [],
        description: null,
        discounts: [],
        end_date,
        invoice_settings: null,
        items: [
          {
            billing_thresholds: null,
            discounts: [],
            metadata: {},
            plan: planOf(price),
            price: price.id,
            quantity,
            tax_rates: [],
          },
        ],
        metadata: {},
        on_behalf_of: null,
        proration_behavior: "create_prorations",
        start_date,
        transfer_data: null,
        trial_end: null,
      },
    ],
    released_at: null,
    released_subscription: null,
    status: "active",
    subscription: id,
    test_clock: null,
  };
  account.state.schedules[schedule.id] = schedule;
  account.record("subscription_schedule.created", schedule);
  account.change("customer.subscription.updated", subscription, () => {
    subscription.schedule = schedule.id;
  });
  return schedule;
}

/** The subscription goes on or ends with the schedule's last phase. */
export function setEndBehavior(
  account: Account,
  schedule: Stripe.SubscriptionSchedule,
  behavior: "cancel" | "release",
): void {
  requireActive(schedule, "update");
  account.change("subscription_schedule.updated", schedule, () => {
    schedule.end_behavior = behavior;
  });
  const end = behavior === "cancel" ? (schedule.current_phase?.end_date ?? null) : null;
  setCancelDate(account, account.state.subscriptions[String(schedule.subscription)], end);
}

/** Leaves the subscription as it is, without the end that the schedule had set. */
export function releaseSchedule(account: Account, schedule: Stripe.SubscriptionSchedule): void {
  requireActive(schedule, "release");
  const subscription = account.state.subscriptions[String(schedule.subscription)];
  account.change("subscription_schedule.released", schedule, () => {
    schedule.status = "released";
    schedule.released_at = account.now();
    schedule.released_subscription = subscription?.id ?? null;
    schedule.subscription = null;
    schedule.current_phase = null;
  });
  if (subscription === undefined) return;
  account.change("customer.subscription.updated", subscription, () => {
    subscription.schedule = null;
  });
  if (schedule.end_behavior === "cancel") setCancelDate(account, subscription, null);
}

export function scheduleOf(
  account: Account,
  { schedule }: Stripe.Subscription,
): Stripe.SubscriptionSchedule | undefined {
  return schedule === null ? undefined : account.state.schedules[String(schedule)];
}

/** Ends with its subscription. */
export function cancelSchedule(account: Account, subscription: Stripe.Subscription): void {
  const schedule = scheduleOf(account, subscription);
  if (schedule?.status !== "active") return;
  account.change("subscription_schedule.canceled", schedule, () => {
    schedule.status = "canceled";
    schedule.canceled_at = account.now();
    schedule.current_phase = null;
  });
}

export function requireUnscheduled({ schedule }: Stripe.Subscription): void {
  if (schedule === null) return;
  throw invalid(
    `The subscription is managed by the subscription schedule \`${schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
  );
}

function requireActive({ status }: Stripe.SubscriptionSchedule, verb: string): void {
  if (status === "active") return;
  throw invalid(
    `You cannot ${verb} a subscription schedule that is currently in the \`${status}\` status. It must be in \`not_started\`, \`active\` status to be ${verb}d.`,
  );
}

function setCancelDate(
  account: Account,
  subscription: Stripe.Subscription | undefined,
  at: number | null,
): void {
  if (subscription === undefined || subscription.cancel_at === at) return;
  account.change("customer.subscription.updated", subscription, () => {
    subscription.cancel_at = at;
    subscription.cancel_at_period_end = false;
    subscription.canceled_at = at === null ? null : account.now();
  });
}
