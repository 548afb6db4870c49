/** Scenarios that compare times with a quiet machine's run alone, one after another. */
export const ALONE = [
  "x03-crashes",
  "x06-migrate-under-load",
  "x11-http-abuse",
  "x12-search-flood",
  "x13-database-network",
  "x28-wrong-settings",
  "x29-others-down",
  "x30-killed-front",
];
/** The others mostly wait, so that two of them run at once. */
export const BESIDE = [
  "x01-killed-transactions",
  "x02-durable-writes",
  "x04-stop-in-flight",
  "x05-killed-imports",
  "x07-eight-migrators",
  "x10-restore-drill",
  "x16-full-disk",
  "x22-soak",
  "x23-retries",
  "x24-shared-cache",
  "x25-log-canaries",
  "x31-moved-clocks",
];
/** These keep both processors busy, so that no scenario with a limit of time can run beside them. */
export const BUSY = ["x08-event-orders", "x08-lifecycles"];

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
