import type { subscriptionStatus } from "#db/schema/billing.ts";

export type SubscriptionStatus = (typeof subscriptionStatus.enumValues)[number];

type Statuses = SubscriptionStatus[];

/** A subscription never leaves these statuses. */
export const ENDED_STATUSES: Statuses = ["canceled", "incomplete_expired"];

export const PAID_STATUSES: Statuses = ["trialing", "active"];

export const OVERDUE_STATUSES: Statuses = ["past_due", "unpaid"];

/** These give access during the period, and during the grace days after a failed payment. */
export const SUBSCRIBING_STATUSES: Statuses = [...PAID_STATUSES, "past_due"];

/** The first period has started and the subscription has not ended. */
export const BEGUN_STATUSES: Statuses = [...PAID_STATUSES, ...OVERDUE_STATUSES];
