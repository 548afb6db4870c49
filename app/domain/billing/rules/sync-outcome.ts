/** "late": a newer answer is stored. "due": it would be ended. "duplicate": one person is charged for several. */
export type What =
  | "new"
  | "changed"
  | "ended"
  | "withdrawn"
  | "same"
  // These write nothing else, except for a subscription sold here that was changed into something else.
  | "late"
  | "other-site"
  | "mismatch"
  | "unknown"
  | "due"
  | "duplicate";

export interface Change {
  kind: "product" | "price" | "checkout" | "subscription" | "invoice" | "customer";
  id: string;
  what: What;
}

const WRITTEN: What[] = ["new", "changed", "ended", "withdrawn"];

function isWritten({ what }: Change): boolean {
  return WRITTEN.includes(what);
}

export function isDifference({ what }: Change): boolean {
  return what !== "same" && what !== "late";
}

/** The change that most needs attention, for the event's row. */
export function outcomeOf(changes: Change[]): What | "written" {
  const strange = (["mismatch", "duplicate"] as const).find((what) => isIn(changes, what));
  if (strange !== undefined) return strange;
  if (changes.some(isWritten)) return "written";
  return (["other-site", "unknown", "late"] as const).find((what) => isIn(changes, what)) ?? "same";
}

function isIn(changes: Change[], what: What): boolean {
  return changes.some((change) => change.what === what);
}
