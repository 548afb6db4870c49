/** At least 2, because a thinner line could not be seen. `part`: 0 to 1. */
export function seenPercent(part: number): number {
  return Math.min(100, Math.max(2, Math.round(part * 100)));
}
