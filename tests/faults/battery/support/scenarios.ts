interface Phase {
  scenarios: string[];
  /** The number of scenarios that run at the same time. */
  atOnce: number;
}

/** The phases run one after the other. Each scenario is in one of them. */
export const PHASES: Phase[] = [
  // These scenarios compare times with those of a quiet machine, and their load needs most of it.
  {
    scenarios: [
      "x03-crashes",
      "x04-stop-in-flight",
      "x06-migrate-under-load",
      "x11-http-abuse",
      "x12-search-flood",
    ],
    atOnce: 1,
  },
  // These scenarios have limits of time and mostly wait. The soak takes as long as all others together.
  {
    scenarios: [
      "x13-database-network",
      "x16-full-disk",
      "x22-soak",
      "x23-retries",
      "x28-wrong-settings",
      "x29-others-down",
      "x30-killed-front",
      "x31-moved-clocks",
    ],
    atOnce: 2,
  },
  // These scenarios keep the processors busy, and their limits of time are wide enough for that.
  {
    scenarios: [
      "x01-killed-transactions",
      "x02-durable-writes",
      "x05-killed-imports",
      "x07-eight-migrators",
      "x08-event-orders",
      "x08-lifecycles",
      "x10-restore-drill",
      "x24-shared-cache",
      "x25-log-canaries",
    ],
    atOnce: 3,
  },
];

/** The scenarios whose names begin with one of the words; all without words. */
export function chosen(names: string[], words: string[]): string[] {
  return words.length === 0 ? names : names.filter((name) => words.some((word) => name.startsWith(word)));
}

/** A failing line for each file of `names` that has left none, because it was skipped or ended before its figures. */
export function linesOfAbsent(names: string[], report: string): string[] {
  const ids = names.map((name) => `X${Number(name.slice(1, 3))}`);
  // A scenario in two files leaves two lines.
  for (const line of report.trim().split("\n").filter(Boolean)) {
    const at = ids.indexOf((JSON.parse(line) as { id: string }).id);
    if (at >= 0) ids.splice(at, 1);
  }
  return ids.map((id) => JSON.stringify({ id, pass: false, figures: { lines: { is: 0, exactly: 1 } } }));
}
