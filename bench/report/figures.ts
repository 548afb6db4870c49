export function median(values: number[]): number {
  return percentile(values, 0.5);
}

/** `share` is between 0 and 1. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
