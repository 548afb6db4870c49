export interface Row {
  /** The promise that the tests prove, in the words of a report. */
  promise: string;
  tests: string[];
  /** A change below one of these brings the tests into the gate. */
  folders: string[];
}

/**
 * The tests that `npm test` leaves out unless the change touches what they prove: load, faults and promises about
 * minutes. Privacy is never left out.
 */
export const FULL_TIER: Row[] = [
  {
    promise: "live connections beat at real speed, and many fit into a process",
    tests: ["tests/live/most-streams.test.ts"],
    folders: ["app/web/live", "app/domain/changes", "app/web/server", "app/front"],
  },
];

/** What no test of the full tier depends on. A path that is neither here nor in a row brings every row. */
export const GATE_ONLY = ["docs", "README.md"];

const EVERYTHING = "everything";

/** `touched`: paths of the project, or null when they are unknown. */
export function chooseTests(touched: string[] | null, files: string[]): { gate: string[]; later: Row[] } {
  const brought = touched === null ? [EVERYTHING] : touched.flatMap(bringing);
  const isBrought = (row: Row, test: string) =>
    brought.includes(EVERYTHING) || brought.includes(row.promise) || brought.includes(test);
  const later = FULL_TIER.map((row) => ({
    ...row,
    tests: row.tests.filter((test) => !isBrought(row, test)),
  })).filter(({ tests }) => tests.length > 0);
  const left = new Set(later.flatMap(({ tests }) => tests));
  return { gate: files.filter((file) => !left.has(file)), later };
}

/** The promises of the rows that this path brings, and the path itself when it is a test. */
function bringing(path: string): string[] {
  if (/\.(?:test\.tsx?|spec\.ts)$/.test(path)) return [path];
  const rows = FULL_TIER.filter(({ folders }) => folders.some((folder) => isBelow(path, folder)));
  if (rows.length > 0) return rows.map(({ promise }) => promise);
  return GATE_ONLY.some((folder) => isBelow(path, folder)) ? [] : [EVERYTHING];
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
