interface Pair {
  javaScriptEnabled: boolean;
  width: number;
}

/** The gate meets each width and each mode once, the full tier every pair. */
export const GATE_PAIRS: Pair[] = [
  { javaScriptEnabled: true, width: 1280 },
  { javaScriptEnabled: false, width: 390 },
];
export const OTHER_PAIRS: Pair[] = [
  { javaScriptEnabled: true, width: 390 },
  { javaScriptEnabled: false, width: 1280 },
];

/** The name of the pair's project in Playwright. */
export function pairName({ javaScriptEnabled, width }: Pair): string {
  return `${javaScriptEnabled ? "with" : "without"} JavaScript at ${width}`;
}
