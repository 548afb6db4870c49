import type { Subscription } from "#db/schema/billing.ts";

/** A running subscription; tests replace what they are about. */
export const SUBSCRIPTION: Subscription = {
  id: "sub_1",
  userId: "00000000-0000-4000-8000-000000000001",
  provider: "stripe",
  status: "active",
  priceId: "monthly",
  quantity: 1,
  cancelAtPeriodEnd: false,
  created: new Date("2026-11-01T12:00:00Z"),
  currentPeriodStart: new Date("2026-11-01T12:00:00Z"),
  currentPeriodEnd: new Date("2026-12-01T12:00:00Z"),
  trialStart: null,
  trialEnd: null,
  cancelAt: null,
  canceledAt: null,
  endedAt: null,
  nextAmount: null,
  isPaymentPending: false,
  hasBegun: true,
  metadata: {},
  unknownSince: null,
  requestedChange: null,
  requestedAt: null,
  isRequestOpen: false,
  fetchedAt: new Date("2026-11-01T12:00:00Z"),
};
