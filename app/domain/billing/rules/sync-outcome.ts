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
  /** A subscription that was sold here is written all the same. */
  | "mismatch"
  /** The payment page closed before all of the price had come. */
  | "partlyPaid"
  /** Only marks the row. */
  | "unknown"
  /** In a dry run: a real run would end the subscription or void the invoice. */
  | "due"
  /** Beside another outcome: one person is charged for several subscriptions. */
  | "duplicate"
  /** Beside another outcome: the subscription gives access while its payments are paused. */
  | "uncollected"
  /** Beside another outcome: the invoice was paid after its subscription had ended. */
  | "refundable";

export interface Difference {
  kind: "product" | "price" | "checkout" | "subscription" | "invoice" | "customer";
  id: string;
  what: Outcome;
}

export type EventOutcome = Outcome | "written";

const WRITTEN: Outcome[] = ["new", "changed", "ended", "retired"];
const BY_ATTENTION: Outcome[] = [
  "mismatch",
  "partlyPaid",
  "duplicate",
  "refundable",
  "uncollected",
  ...WRITTEN,
  "otherSite",
  "unknown",
  "late",
];
/** The log warns the host about these. */
const STRANGE: EventOutcome[] = [
  "mismatch",
  "partlyPaid",
  "otherSite",
  "unknown",
  "duplicate",
  "refundable",
  "uncollected",
];

export function isStrange(outcome: EventOutcome): boolean {
  return STRANGE.includes(outcome);
}

export function isReported({ what }: Difference): boolean {
  return what !== "same" && what !== "late";
}

export function outcomeOf(differences: Difference[]): EventOutcome {
  const first = BY_ATTENTION.find((what) => differences.some((one) => one.what === what)) ?? "same";
  return WRITTEN.includes(first) ? "written" : first;
}
