/** "retired": no longer on sale. "late": a newer answer is stored. "due": it would be ended. "duplicate": one person is charged for several. "uncollected": open without payments. */
export type Outcome =
  | "new"
  | "changed"
  | "ended"
  | "retired"
  | "same"
  // The rest writes no answer, except a "mismatch" of a subscription sold here. "unknown" only marks the row; "uncollected" and "duplicate" come beside another outcome.
  | "late"
  | "otherSite"
  | "mismatch"
  | "unknown"
  | "due"
  | "duplicate"
  | "uncollected";

export interface Difference {
  kind: "product" | "price" | "checkout" | "subscription" | "invoice" | "customer";
  id: string;
  what: Outcome;
}

const WRITTEN: Outcome[] = ["new", "changed", "ended", "retired"];
const BY_ATTENTION: Outcome[] = [
  "mismatch",
  "duplicate",
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
