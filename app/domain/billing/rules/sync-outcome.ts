/** "retired": no longer on sale. "late": a newer answer is stored. "due": it would be ended. "duplicate": one person is charged for several. "uncollected": open without payments. */
export type What =
  | "new"
  | "changed"
  | "ended"
  | "retired"
  | "same"
  // These write nothing else, except for a subscription sold here that was changed into something else.
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
  what: What;
}

const WRITTEN: What[] = ["new", "changed", "ended", "retired"];
const BY_ATTENTION: What[] = [
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

export function outcomeOf(differences: Difference[]): What | "written" {
  const first = BY_ATTENTION.find((what) => differences.some((one) => one.what === what)) ?? "same";
  return WRITTEN.includes(first) ? "written" : first;
}
