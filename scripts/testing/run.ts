import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { findChromium, findFfmpeg, installArchivePrograms, requireNginx } from "../build/programs.mjs";
import type { Row } from "./full-tier.ts";
import { lookAgain } from "./second-look.ts";
import { type Limits, runBrowserTests, runBuild, runCheck, runUnitTests, type Stage } from "./stages.ts";
import { printLater, printSummary } from "./summary.ts";
import { chooseTests, fitIntoTime } from "./tiers.ts";
import { readTimes, writeTimes } from "./times.ts";
import { listTouched } from "./touched.ts";

/*
 *   npm test                     the gate: every test that the tiers connect with the change
 *   npm test -- words            the test files with one of the words in their path
 *   npm run test:full            every test, and an unstable one fails the run
 *   npm run test:later -- 12     what the gate has left out, for 12 minutes at most; never fails (for CI)
 */

const RESULTS = "test-results";
const TESTED = ["app", "db", "demo", "scripts", "tests"];
const MAX_UNSTABLE_FILES = 2;

const isCi = Boolean(process.env.CI);
const args = process.argv.slice(2);
const files = TESTED.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
).filter((path) => /\.(test\.tsx?|spec\.ts)$/.test(path));

Object.assign(process.env, findFfmpeg(), findChromium());
requireNginx();
if (isCi) installArchivePrograms();
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });

if (args[0] === "--full") await runFull();
else if (args[0] === "--later") await runLater(Number(args[1]));
else if (args.length > 0) await runMatching(args);
else await runGate();

async function runGate(): Promise<void> {
  const { gate, noTime, later } = chooseGate();
  const left = later.reduce((sum, { tests }) => sum + tests.length, 0);
  console.log(`The gate leaves out ${left} test files that do not depend on what has changed.`);
  for (const { promise, tests } of noTime)
    console.log(`It has no time for: ${promise} (${tests.join(", ")})`);
  finish(await runChecked(gate), MAX_UNSTABLE_FILES);
}

function chooseGate(): { gate: string[]; noTime: Row[]; later: Row[] } {
  const touched = listTouched(isCi);
  const { gate, later } = chooseTests(touched, files);
  return { ...fitIntoTime(gate, { touched, times: readTimes() }), later };
}

async function runFull(): Promise<void> {
  beginFullTier();
  const stages = await runChecked(files);
  const isGreen = finish(stages, 0);
  if (isGreen && !isCi) writeTimes(Object.assign({}, ...stages.map(({ seconds }) => seconds)));
}

async function runMatching(words: string[]): Promise<void> {
  const matching = files.filter((path) => words.some((word) => path.includes(word)));
  if (matching.length === 0) {
    console.error(`No test file has ${words.join(" or ")} in its path.`);
    process.exit(2);
  }
  const built = await runBuild();
  finish([built, ...(built.failures.length === 0 ? await runTests(matching) : [])], MAX_UNSTABLE_FILES);
}

/** The rows of the full tier that the gate has left out, one after the other while there is time. No second look. */
async function runLater(minutes: number): Promise<void> {
  if (Number.isNaN(minutes)) {
    console.error("Give the minutes: npm run test:later -- 12");
    process.exit(2);
  }
  beginFullTier();
  const endsAt = performance.now() + minutes * 60_000;
  const { noTime, later } = chooseGate();
  for (const { promise, tests } of [...noTime, ...later]) {
    printLater(promise, tests, performance.now() < endsAt ? await runOnce(tests, { endsAt }) : []);
  }
}

function beginFullTier(): void {
  process.env.TEST_TIER = "full";
  process.env.TEST_SEED ??= new Date().toISOString().slice(0, 10).replaceAll("-", "");
  console.log(`Random tests begin with TEST_SEED=${process.env.TEST_SEED}.`);
}

async function runChecked(chosen: string[]): Promise<Stage[]> {
  const [built, ...checks] = await Promise.all([
    runBuild(),
    runCheck("type check", "tsc", ["--noEmit"]),
    runCheck("lint", "biome", ["check", "."]),
    runCheck("dead code", "knip", []),
  ]);
  return [built, ...checks, ...(built.failures.length === 0 ? await runTests(chosen) : [])];
}

async function runTests(chosen: string[]): Promise<Stage[]> {
  return lookAgain(await runOnce(chosen));
}

/** One kind after the other: a browser beside the other tests keeps both processors busy and makes each of them late. */
async function runOnce(chosen: string[], limits: Limits = {}): Promise<Stage[]> {
  const isBrowser = (path: string) => path.endsWith(".spec.ts");
  const unit = await runUnitTests(
    chosen.filter((path) => !isBrowser(path)),
    limits,
  );
  const browser = await runBrowserTests(chosen.filter(isBrowser), limits);
  return [unit, browser].filter((stage) => stage !== null);
}

function finish(stages: Stage[], maxUnstableFiles: number): boolean {
  const isGreen = printSummary(stages, maxUnstableFiles);
  process.exitCode = isGreen ? 0 : 1;
  return isGreen;
}
