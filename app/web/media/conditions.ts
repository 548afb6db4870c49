/** Whether the client has the version with this strong ETag already (RFC 9110). */
export function isNotModified(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}

/** If-Range must name exactly this version: weak tags and dates cannot prove it. */
export function isSameVersion(ifRange: string | null, tag: string): boolean {
  return ifRange === null || ifRange.trim() === tag;
}
