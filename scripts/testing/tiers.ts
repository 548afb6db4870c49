import { AREAS } from "./areas.ts";
import { readDependents } from "./dependents.ts";
import { FULL_TIER, type Row } from "./full-tier.ts";
import { estimateSeconds, type Times } from "./times.ts";

/** The first row that names a test has it. */
export const ROWS: Row[] = [...FULL_TIER, ...AREAS];

/** One person must never learn these things of another, nor a host's log of anybody: in the gate whatever has changed. */
const PRIVACY = [
  "tests/faults/battery/x24-shared-cache.test.ts",
  "tests/faults/battery/x25-log-canaries.test.ts",
  "tests/faults/unread-log.test.ts",
  "tests/front/headers.test.ts",
  "tests/http/cache-control.test.ts",
  "tests/http/hidden-ids.test.ts",
  "tests/http/leak.test.ts",
  "tests/http/page-cache.test.ts",
  "tests/http/refusal-id.test.ts",
  "tests/media/delivery.test.ts",
  "tests/media/recent-decisions.test.ts",
  "tests/media/segments.test.ts",
];

/** Everybody takes these ways: in the gate as well. */
const JOURNEYS = [
  "tests/auth/sign-in.test.ts",
  "tests/billing/cancellation/cancellation.test.ts",
  "tests/billing/checkout/purchase.test.ts",
  "tests/catalog/media-pages.test.ts",
  "tests/e2e/journey.spec.ts",
  "tests/e2e/sign-in.spec.ts",
  "tests/viewing/progress.test.ts",
];

/** CI has to end within thirty-five minutes; the build, a second look and a slower hour need the rest. */
export const GATE_SECONDS = 30 * 60;
/** The rows that name the change most exactly have this time even where the gate is full without them. */
export const EXACT_SECONDS = 2 * 60;

export const ALWAYS = [...PRIVACY, ...JOURNEYS];

/**
 * A change of these alone brings nothing. A path that is neither here nor in a row brings the tests that import it, or
 * every test where imports do not say enough.
 */
export const DOCUMENTS = ["CONTRIBUTING.md", "README.md", "docs", "tests/mutants", "tests/times.json"];

/** `touched`: paths of the project, or null when they are unknown. */
export function chooseTests(touched: string[] | null, files: string[]): { gate: string[]; later: Row[] } {
  const everything = { gate: files, later: [] };
  if (touched === null) return everything;
  const unknown = touched.filter(isUnknown);
  const dependents = unknown.length === 0 ? [] : unknown.map(readDependents(files));
  if (dependents.includes(null)) return everything;
  const named = new Set([...touched, ...dependents.flatMap((tests) => tests ?? [])]);
  const later = withFiles(files)
    .filter((row) => !touched.some((path) => isOfRow(path, row)))
    .map((row) => ({ ...row, tests: row.tests.filter((test) => !named.has(test)) }))
    .filter(({ tests }) => tests.length > 0);
  const left = new Set(later.flatMap(({ tests }) => tests));
  return { gate: files.filter((file) => !left.has(file)), later };
}

/**
 * A change that touches most of the site would bring an hour of tests. Rows of
 * the full tier are then left out of `gate`: first those that name the change least exactly, and of these the longest;
 * tests that were changed themselves go last, and EXACT_SECONDS of the last stay.
 */
export function fitIntoTime(
  gate: string[],
  { touched, times }: { touched: string[] | null; times: Times },
): { gate: string[]; noTime: Row[] } {
  const kept = new Set(gate);
  const noTime: Row[] = [];
  const rows = leastExactFirst(gate, touched ?? [], times);
  for (const [index, row] of rows.entries()) {
    const left = rows.slice(index).flatMap(({ tests }) => tests);
    if (estimateSeconds([...kept], times) <= GATE_SECONDS || estimateSeconds(left, times) <= EXACT_SECONDS)
      break;
    for (const test of row.tests) kept.delete(test);
    noTime.push(row);
  }
  return { gate: [...kept], noTime };
}

function leastExactFirst(gate: string[], touched: string[], times: Times): Row[] {
  const rows = FULL_TIER.flatMap((row) => {
    const tests = row.tests.filter((test) => gate.includes(test));
    const depth = Math.max(0, ...touched.map((path) => depthIn(path, row.folders)));
    const changed = tests.filter((test) => touched.includes(test));
    return [
      { ...row, tests: tests.filter((test) => !touched.includes(test)), depth },
      ...changed.map((test) => ({ ...row, tests: [test], depth: Number.MAX_SAFE_INTEGER })),
    ];
  }).filter(({ tests }) => tests.length > 0);
  const seconds = ({ tests }: Row) => estimateSeconds(tests, times);
  return rows.toSorted((a, b) => a.depth - b.depth || seconds(b) - seconds(a));
}

/** The rows with the files of their folders, each file in one row and none that always runs. */
export function withFiles(files: string[]): Row[] {
  const named = new Set([...ALWAYS, ...ROWS.flatMap(({ tests }) => tests)]);
  const given = new Set<string>();
  return ROWS.map((row) => {
    const folders = row.tests.filter((test) => test.endsWith("/"));
    const inFolders = files.filter(
      (file) => folders.some((folder) => file.startsWith(folder)) && !named.has(file) && !given.has(file),
    );
    for (const file of inFolders) given.add(file);
    return { ...row, tests: [...row.tests.filter((test) => !test.endsWith("/")), ...inFolders] };
  });
}

function isUnknown(path: string): boolean {
  if (/\.(?:test\.tsx?|spec\.ts)$/.test(path)) return false;
  return !isBelowOne(path, DOCUMENTS) && !ROWS.some((row) => isOfRow(path, row));
}

function isOfRow(path: string, { folders, except = [] }: Row): boolean {
  return isBelowOne(path, folders) && !except.some((beginning) => path.startsWith(beginning));
}

function isBelowOne(path: string, folders: string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** How many names the longest of the folders that hold the path has; 0 if none holds it. */
function depthIn(path: string, folders: string[]): number {
  return Math.max(
    0,
    ...folders.filter((folder) => isBelowOne(path, [folder])).map((folder) => folder.split("/").length),
  );
}
