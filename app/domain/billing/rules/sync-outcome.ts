export type Outcome =
  | "new"
  | "changed"
  | "ended"
  /** No longer on sale. */
  | "retired"
  | "same"
  // The outcomes below write no answer.
  /** A newer answer is stored. */
  | "late"
  | "otherSite"
  /** Written all the same for a subscription sold here. */
  | "mismatch"
  /** Only marks the row. */
  | "unknown"
  /** A run that is not dry would end the subscription or void the invoice. */
  | "due"
  /** Beside another outcome: one person is charged for several subscriptions. */
  | "duplicate"
  /** Beside another outcome: the subscription is open without payments. */
  | "uncollected"
  /** Beside another outcome: the invoice was paid after its subscription had ended. */
  | "refundable";

export interface Difference {
  kind: "product" | "price" | "checkout" | "subscription" | "invoice" | "customer";
  id: string;
  what: Outcome;
}

const WRITTEN: Outcome[] = ["new", "changed", "ended", "retired"];
const BY_ATTENTION: Outcome[] = [
  "mismatch",
  "duplicate",
  "refundable",
  "uncollected",
  ...WRITTEN,
  "otherSite",
  "unknown",
  "late",
];

export function isReported({ what }: Difference): boolean {
  return what !== "same" && what !== "late";
}

export function outcomeOf(differences: Difference[]): Outcome | "written" {
  const first = BY_ATTENTION.find((what) => differences.some((one) => one.what === what)) ?? "same";
  return WRITTEN.includes(first) ? "written" : first;
}
