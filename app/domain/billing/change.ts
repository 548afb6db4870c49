/**
 * What became of one thing that the provider was asked about. "late": a later answer is there already. "foreign": it
 * belongs to nobody here. "mismatch": it is not what we sell. "unknown": the provider does not have it, which is noted at a
 * subscription. "due": it would be ended. "double": somebody is charged for more than one subscription, which only the
 * host can put right. Apart from that note, and a subscription that was sold here before it was made another thing, the
 * last six write nothing.
 */
export type What =
  | "new"
  | "changed"
  | "ended"
  | "withdrawn"
  | "same"
  | "late"
  | "foreign"
  | "mismatch"
  | "unknown"
  | "due"
  | "double";

export interface Change {
  kind: "product" | "price" | "checkout" | "subscription" | "invoice" | "customer";
  /** The provider's. */
  id: string;
  what: What;
}

const WRITTEN: What[] = ["new", "changed", "ended", "withdrawn"];

function isWritten({ what }: Change): boolean {
  return WRITTEN.includes(what);
}

/** Whether ours and the provider's were not the same. */
export function isDifference({ what }: Change): boolean {
  return what !== "same" && what !== "late";
}

/** In one word, for the event that told of it: of several the one that most wants looking at. */
export function outcomeOf(changes: Change[]): What | "written" {
  const strange = (["mismatch", "double"] as const).find((what) => isIn(changes, what));
  if (strange !== undefined) return strange;
  if (changes.some(isWritten)) return "written";
  return (["foreign", "unknown", "late"] as const).find((what) => isIn(changes, what)) ?? "same";
}

function isIn(changes: Change[], what: What): boolean {
  return changes.some((change) => change.what === what);
}
