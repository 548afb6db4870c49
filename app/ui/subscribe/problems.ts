/** Where the page goes to when it comes back with one. */
export const PROBLEM_ID = "purchase-problem";

/** Why a purchase did not go on, in words, each with what to do. */
export const PROBLEMS = {
  priceGone: "This price is no longer offered. Please choose again.",
  noConsent: "Please read these terms and tick the box beside them to go on.",
  termsChanged: "The terms have changed since this page was opened. Please read them again and tick the box.",
  replaced: "Another plan was chosen in the meantime, perhaps in another tab. Please choose again here.",
  away: "The payment provider does not answer. Nothing was charged. Please try again in a minute.",
} as const;

export type PurchaseProblem = keyof typeof PROBLEMS;
