import type Stripe from "stripe";
import { DAY_SECONDS, type Due, runDue } from "../../stand-in/clock.ts";
import { buildInvoice } from "../invoices/build-invoice.ts";
import { itemOf, lineOf } from "../invoices/items.ts";
import type { Account } from "../state/account.ts";
import { HOUR_SECONDS } from "../state/periods.ts";
import type { Timers } from "../state/state.ts";
import { expireSubscription } from "./end-subscription.ts";
import { payInvoice } from "./pay-invoice.ts";
import { endOnDate, endTrial, renew } from "./renew.ts";
import { completeTransfer, isOnItsWay } from "./transfers.ts";

const TRIAL_END_ANNOUNCED_SECONDS = 3 * DAY_SECONDS;
const RENEWAL_ANNOUNCED_SECONDS = 7 * DAY_SECONDS;
const INCOMPLETE_SECONDS = 23 * HOUR_SECONDS;
const EVENTS_KEPT_SECONDS = 30 * DAY_SECONDS;
const MAX_EVENTS = 20_000;

export function advanceTo(account: Account, target: number): void {
  runDue(account, target, () => listDue(account));
  forgetOldEvents(account);
}

/** Stripe deletes events after 30 days; here that happens only once there are many. */
function forgetOldEvents(account: Account): void {
  const events = Object.values(account.state.events);
  if (events.length < MAX_EVENTS) return;
  const oldest = account.now() - EVENTS_KEPT_SECONDS;
  for (const { id, created, pending_webhooks } of events) {
    if (created < oldest && pending_webhooks === 0) delete account.state.events[id];
  }
}

function listDue(account: Account): Due[] {
  const { subscriptions, invoices, sessions, timers } = account.state;
  return [
    ...Object.values(subscriptions).flatMap((subscription) => dueOf(account, subscription)),
    ...Object.values(invoices).flatMap((invoice) => retryOf(account, invoice)),
    ...Object.values(sessions).flatMap((session) => endOf(account, session)),
    ...Object.entries(timers).flatMap(([id, { transfer }]) => arrivalOf(account, id, transfer)),
  ];
}

function dueOf(account: Account, subscription: Stripe.Subscription): Due[] {
  const { status, created, cancel_at, trial_end } = subscription;
  if (status === "incomplete") {
    if (isOnItsWay(account, subscription.id)) return [];
    return [{ at: created + INCOMPLETE_SECONDS, run: () => expireSubscription(account, subscription) }];
  }
  if (!["trialing", "active", "past_due", "unpaid"].includes(status)) return [];
  const end = itemOf(subscription).current_period_end;
  const resumes = collectionResumes(account, subscription);
  if (cancel_at !== null && cancel_at <= end) {
    const run = () => endOnDate(account, subscription);
    return [{ at: cancel_at, run }, ...trialEndSoon(account, subscription), ...resumes];
  }
  const isTrial = status === "trialing" && trial_end !== null;
  return [
    ...resumes,
    ...trialEndSoon(account, subscription),
    ...renewalSoon(account, subscription, end),
    isTrial
      ? { at: trial_end, run: () => endTrial(account, subscription) }
      : { at: end, run: () => renew(account, subscription) },
  ];
}

function collectionResumes(account: Account, subscription: Stripe.Subscription): Due[] {
  const at = subscription.pause_collection?.resumes_at;
  if (!at) return [];
  const run = () => {
    account.change("customer.subscription.updated", subscription, () => {
      subscription.pause_collection = null;
    });
  };
  return [{ at, run }];
}

function trialEndSoon(account: Account, subscription: Stripe.Subscription): Due[] {
  const timers = account.timersOf(subscription.id);
  const end = subscription.trial_end;
  if (subscription.status !== "trialing" || end === null || timers.trialEndAnnounced === end) return [];
  const run = () => {
    timers.trialEndAnnounced = end;
    account.record("customer.subscription.trial_will_end", subscription);
  };
  return [{ at: end - TRIAL_END_ANNOUNCED_SECONDS, run }];
}

/** There is no announcement for periods that are no longer than its lead time. */
function renewalSoon(account: Account, subscription: Stripe.Subscription, end: number): Due[] {
  const timers = account.timersOf(subscription.id);
  const at = end - RENEWAL_ANNOUNCED_SECONDS;
  if (timers.renewalAnnounced === end || at <= itemOf(subscription).current_period_start) return [];
  const run = () => {
    timers.renewalAnnounced = end;
    const { id: _, ...upcoming } = buildInvoice(account, subscription, {
      reason: "upcoming",
      lines: [...timers.pendingLines, lineOf(account, subscription)],
    });
    account.record("invoice.upcoming", { ...upcoming, next_payment_attempt: end });
  };
  return [{ at, run }];
}

function retryOf(account: Account, invoice: Stripe.Invoice): Due[] {
  if (invoice.status !== "open" || invoice.next_payment_attempt === null) return [];
  const run = () => {
    payInvoice(account, invoice, { isPresent: false, isScheduled: true });
  };
  return [{ at: invoice.next_payment_attempt, run }];
}

function endOf(account: Account, session: Stripe.Checkout.Session): Due[] {
  if (session.status !== "open") return [];
  const run = () => expireSession(account, session);
  return [{ at: session.expires_at, run }];
}

function arrivalOf(account: Account, subscriptionId: string, transfer: Timers["transfer"]): Due[] {
  if (transfer === undefined) return [];
  return [{ at: transfer.arrivesAt, run: () => completeTransfer(account, subscriptionId, "paid") }];
}

export function expireSession(account: Account, session: Stripe.Checkout.Session): void {
  session.status = "expired";
  session.url = null;
  account.record("checkout.session.expired", session);
}
