import { expect, test } from "vitest";
import { STRIPE_EVENTS } from "./parse-event.server.ts";

/** Hosts have enabled these at Stripe; docs/payments.md lists them. */
const ENABLED_BY_HOSTS = [
  "product.created",
  "product.updated",
  "product.deleted",
  "price.created",
  "price.updated",
  "price.deleted",
  "checkout.session.completed",
  "checkout.session.expired",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.subscription.trial_will_end",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "invoice.finalized",
  "invoice.voided",
  "invoice.marked_uncollectible",
  "invoice.upcoming",
  "charge.refunded",
  "charge.dispute.created",
  "charge.dispute.closed",
  "customer.updated",
  "customer.deleted",
  "payment_method.attached",
  "payment_method.updated",
  "payment_method.detached",
];

test("the site reacts to exactly the events that hosts have to enable", () => {
  expect([...STRIPE_EVENTS].sort(), "change the list in docs/payments.md too").toEqual(
    ENABLED_BY_HOSTS.toSorted(),
  );
});
