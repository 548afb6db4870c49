import type { PurchaseOutcome } from "#app/domain/billing/checkout/purchase-outcome.server.ts";

interface OutcomeText {
  title: string;
  sentence: string;
}

export const OUTCOMES: Record<PurchaseOutcome["kind"], OutcomeText> = {
  done: { title: "Welcome", sentence: "You now have access to everything." },
  pending: {
    title: "Your payment is being processed",
    sentence: "The payment provider has not confirmed it yet. This page checks again automatically.",
  },
  untold: {
    title: "Your payment is being confirmed",
    sentence:
      "The payment provider tells us as soon as you have paid, usually within a minute. This page checks again automatically.",
  },
  transfer: {
    title: "Your bank is sending the money",
    sentence:
      "You have ordered the subscription. The payment takes a few days to arrive. Your subscription starts as soon as it does, and we will email you. There is nothing more for you to do.",
  },
  confirming: { title: "Your payment waits for confirmation", sentence: "" },
  unconfirmed: { title: "Your payment is not confirmed yet", sentence: "" },
  partlyPaid: { title: "Not all of the price has arrived", sentence: "" },
  mismatch: {
    title: "Paid. We are checking your purchase",
    sentence:
      "Your purchase is complete at the payment provider, but it does not match what you agreed to, so your subscription has not started yet. Please do not pay again.",
  },
  rateLimited: {
    title: "We are looking into it",
    sentence:
      "We have asked the payment provider about this purchase many times, and will ask again in a minute. If you have paid, nothing is lost. This page checks again automatically.",
  },
  open: {
    title: "Not paid yet",
    sentence: "You were not charged, and no subscription has started. You can still use the payment page.",
  },
  expired: {
    title: "The payment page has closed",
    sentence: "You did not pay in time, so you were not charged and no subscription has started.",
  },
  replaced: {
    title: "You have since chosen another plan",
    sentence: "Your new choice replaced this purchase, and you were not charged for it.",
  },
  secondTrial: {
    title: "You have already had a free trial",
    sentence:
      "Everyone gets one free trial, and this card, bank account or email address has already been used for one. The subscription ended at once, and you were not charged. You can subscribe without a trial at any time.",
  },
  inactive: { title: "The status of your subscription", sentence: "" },
  unreachable: {
    title: "We cannot check right now",
    sentence:
      "We could not reach the payment provider. Nothing is lost. If you have paid, your subscription starts as soon as the provider answers.",
  },
};

/** After three minutes. */
export const STILL_UNTOLD =
  "The confirmation has not arrived yet. If you have paid, please do not pay again: your subscription starts as soon as it arrives, and we will email you. If you did not pay, choose a plan again.";

export const STILL_WAITING =
  "This is taking longer than usual. Nothing is lost. Your subscription starts as soon as the payment is confirmed, and we will email you.";
