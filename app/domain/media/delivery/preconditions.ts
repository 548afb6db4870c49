/** A strong validator: the hash of the bytes. */
export function entityTag(hash: string): string {
  return `"${hash}"`;
}

/** Whether the copy that the browser holds is this one. */
export function isNotModified(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}

/** Whether a part may be joined to what the browser already has; a weak tag or a date cannot promise that. */
export function mayJoin(ifRange: string | null, tag: string): boolean {
  return ifRange === null || ifRange.trim() === tag;
}
