import { DAY_SECONDS, type Due, runDue } from "../stand-in/clock.ts";
import type { CcbillAccount } from "./account.ts";
import { dateOf, endOfDay } from "./arizona-time.ts";
import { cardFields, renews } from "./cards.ts";
import { accounted, currencyName } from "./money.ts";
import { isEndless } from "./order.ts";
import type { Subscription } from "./state.ts";

const RETRY_AFTER_DAYS = 2;
const FAILED = "failedRB";

/** 2 renews, 1 goes on without renewing, 0 is over. */
export type Status = 0 | 1 | 2;

export function statusOf({ expiredAt, cancelledAt, order, timesRebilled }: Subscription): Status {
  if (expiredAt !== null) return 0;
  const { recurring } = order;
  if (cancelledAt !== null || recurring === null) return 1;
  return isEndless(recurring.rebills) || timesRebilled < recurring.rebills ? 2 : 1;
}

export function advanceTo(account: CcbillAccount, until: number): void {
  runDue(account, until, () =>
    Object.values(account.state.subscriptions).flatMap((each) => dueOf(account, each)),
  );
}

function dueOf(account: CcbillAccount, subscription: Subscription): Due[] {
  const { paidUntil, retryAt } = subscription;
  const status = statusOf(subscription);
  if (status === 0) return [];
  // What is paid is paid for whole days.
  if (status === 1) return [{ at: endOfDay(paidUntil), run: () => expire(account, subscription) }];
  return [{ at: retryAt ?? paidUntil, run: () => renew(account, subscription) }];
}

export function renew(account: CcbillAccount, subscription: Subscription): void {
  const { recurring, currencyCode } = subscription.order;
  if (recurring === null || statusOf(subscription) !== 2) return;
  if (subscription.failingRenewals > 0 || !renews(subscription.last4)) {
    failRenewal(account, subscription);
    return;
  }
  const transactionId = account.newId();
  subscription.paidUntil += recurring.period * DAY_SECONDS;
  subscription.timesRebilled++;
  subscription.retryAt = null;
  const { bin: _, ...card } = cardFields(subscription.last4, emailOf(subscription));
  account.enter({ kind: "REBILL", subscriptionId: subscription.id, transactionId, amount: recurring.price });
  account.record("RenewalSuccess", {
    subscriptionId: subscription.id,
    transactionId,
    renewalDate: dateOf(account.now()),
    nextRenewalDate: dateOf(subscription.paidUntil),
    billedAmount: recurring.price,
    billedCurrency: currencyName(currencyCode),
    billedCurrencyCode: currencyCode,
    accountingAmount: accounted(recurring.price, currencyCode),
    accountingCurrency: "USD",
    accountingCurrencyCode: "840",
    ...card,
  });
}

/** The second failure ends the subscription. */
function failRenewal(account: CcbillAccount, subscription: Subscription): void {
  subscription.failingRenewals = Math.max(0, subscription.failingRenewals - 1);
  if (subscription.retryAt !== null) {
    cancel(account, subscription, { source: FAILED, reason: "Failed rebill" });
    expire(account, subscription);
    return;
  }
  subscription.retryAt = account.now() + RETRY_AFTER_DAYS * DAY_SECONDS;
  const { cardType = "", cardSubType = "", paymentType = "" } = cardFields(subscription.last4, "");
  account.record("RenewalFailure", {
    subscriptionId: subscription.id,
    transactionId: account.newId(),
    renewalDate: dateOf(account.now()),
    nextRetryDate: dateOf(subscription.retryAt),
    failureCode: "BE-900",
    failureReason: "transaction declined",
    cardType,
    cardSubType,
    paymentType,
  });
}

/** Paid time goes on. Returns whether there was anything to cancel. */
export function cancel(
  account: CcbillAccount,
  subscription: Subscription,
  { source, reason }: { source: string; reason: string },
): boolean {
  if (statusOf(subscription) !== 2) return false;
  subscription.cancelledAt = account.now();
  subscription.retryAt = null;
  account.record("Cancellation", { subscriptionId: subscription.id, reason, source });
  return true;
}

export function reactivate(account: CcbillAccount, subscription: Subscription): void {
  if (subscription.cancelledAt === null || subscription.expiredAt !== null) return;
  subscription.cancelledAt = null;
  account.record("UserReactivation", {
    subscriptionId: subscription.id,
    transactionId: account.newId(),
    price: subscription.order.recurring?.price ?? "",
    email: emailOf(subscription),
    username: subscription.person.username ?? "",
    password: subscription.person.password ?? "",
    nextRenewalDate: dateOf(subscription.paidUntil),
  });
}

export function moveBillingDate(account: CcbillAccount, subscription: Subscription, days: number): void {
  if (statusOf(subscription) === 0) return;
  subscription.paidUntil += days * DAY_SECONDS;
  subscription.retryAt = null;
  account.record("BillingDateChange", {
    subscriptionId: subscription.id,
    nextRenewalDate: dateOf(subscription.paidUntil),
  });
}

export function updateCard(account: CcbillAccount, subscription: Subscription, last4: string): void {
  subscription.last4 = last4;
  subscription.failingRenewals = 0;
  const { person, id } = subscription;
  account.record("CustomerDataUpdate", {
    subscriptionId: id,
    ...person,
    ...cardFields(last4, emailOf(subscription)),
  });
}

export function expire(account: CcbillAccount, subscription: Subscription): void {
  if (subscription.expiredAt !== null) return;
  subscription.expiredAt = account.now();
  account.enter({ kind: "EXPIRE", subscriptionId: subscription.id, transactionId: "", amount: "" });
  account.record("Expiration", { subscriptionId: subscription.id });
}

export function emailOf({ person }: Subscription): string {
  return person.email ?? "";
}
