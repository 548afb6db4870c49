/** One measured figure beside its reference from the same run. */
export interface Row {
  name: string;
  figure: string;
  reference: string;
  ratio: number | null;
  goal: string;
  isMet: boolean;
}

/** How long to measure, and which figures of a suite; all when `only` is empty. */
export interface BenchOptions {
  isQuick: boolean;
  only: string[];
}

/** Prints each row as soon as it is measured, because a whole run takes long. */
export type Report = (row: Row) => void;

const WIDTHS = [34, 26, 30, 7, 9];

export function printHeader(): void {
  console.log(line(["what", "figure", "reference", "ratio", "goal", ""]));
}

export function printRow({ name, figure, reference, ratio, goal, isMet }: Row): void {
  const share = ratio === null ? "" : ratio.toFixed(2);
  console.log(line([name, figure, reference, share, goal, isMet ? "ok" : "MISSED"]));
}

export function printSummary(rows: Row[]): void {
  const missed = rows.filter(({ isMet }) => !isMet);
  console.log(`\n${rows.length - missed.length} of ${rows.length} goals are met.`);
  if (missed.length > 0) console.log(`Missed: ${missed.map(({ name }) => name).join("; ")}.`);
}

function line(columns: string[]): string {
  return columns
    .map((text, index) => text.padEnd(WIDTHS[index] ?? 0))
    .join("  ")
    .trimEnd();
}
