import type { PurchaseOutcome } from "#app/domain/billing/checkout/purchase-outcome.server.ts";

interface OutcomeText {
  title: string;
  sentence: string;
}

/** Texts of the return page; "done" and "inactive" show the subscription's own sentence. */
export const OUTCOMES: Record<PurchaseOutcome["kind"], OutcomeText> = {
  done: { title: "Welcome", sentence: "Everything is open to you." },
  pending: {
    title: "Your payment is on its way",
    sentence: "The payment provider has not confirmed it yet. This page checks again by itself.",
  },
  transfer: {
    title: "Your bank is sending the money",
    sentence:
      "You have ordered the subscription, and the payment takes a few days to arrive. Your subscription starts as soon as it arrives, and we send you a mail. There is nothing more for you to do.",
  },
  mismatch: {
    title: "Paid; we are checking your purchase",
    sentence:
      "Your purchase is completed at the payment provider, but it does not fit what you agreed to, so your subscription has not started yet. Please do not pay again: write to us, and we will put it right.",
  },
  rateLimited: {
    title: "We are looking into it",
    sentence:
      "We have asked the payment provider about this purchase many times, and ask again in a minute. If you have paid, nothing is lost. This page checks again by itself.",
  },
  open: {
    title: "Not paid yet",
    sentence: "Nothing was charged, and no subscription has begun. The payment page is still open for you.",
  },
  expired: {
    title: "The payment page has closed",
    sentence: "It was not paid in time, so nothing was charged and no subscription has begun.",
  },
  replaced: {
    title: "You chose another plan since",
    sentence: "It replaced this purchase, for which nothing was charged.",
  },
  secondTrial: {
    title: "You have already had a free trial",
    sentence:
      "A free trial is given once, and this card, bank account or mail address has had one. So the subscription was ended at once, and nothing was charged. You can subscribe without a trial at any time.",
  },
  inactive: { title: "The state of your subscription", sentence: "" },
  unreachable: {
    title: "We cannot check at the moment",
    sentence:
      "The payment provider does not answer. Nothing is lost: if you have paid, your subscription starts as soon as it answers.",
  },
};

export const STILL_WAITING =
  "This takes longer than usual. Nothing is lost: your subscription starts as soon as the payment is confirmed, and we send you a mail.";
