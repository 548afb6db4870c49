import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  findChromium,
  findFfmpeg,
  installArchivePrograms,
  installStore,
  requireNginx,
  requirePgBouncer,
} from "../build/programs.mjs";
import {
  isBrowserTest,
  lookAgain,
  runBrowserTests,
  runBuild,
  runCheck,
  runUnitTests,
  type Stage,
} from "./stages.ts";
import { printSummary } from "./summary.ts";

/*
 *   npm test                              everything but the slow files
 *   npm test -- words                     the files, slow or not, with one of the words in their path
 *   npm run test:slow                     the slow files, in an order drawn anew each time
 *   npm run test:slow -- --minutes 40     no new file after that
 *   npm run test:slow -- --seed 5         the order and the random tests of an earlier run
 */

const RESULTS = "test-results";
const TESTED = ["app", "db", "demo", "scripts", "tests"];
/** As measured with the slow files. */
const BROWSER_SHARE = 0.3;
/** Starting the two sites takes as long as a short file. */
const BROWSER_FILES_AT_ONCE = 4;

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { slow: { type: "boolean" }, minutes: { type: "string" }, seed: { type: "string" } },
});
const files = TESTED.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
).filter((path) => /\.(test\.tsx?|spec\.ts)$/.test(path));
const isSlow = (file: string) => /\.slow\.(test|spec)\./.test(file);

Object.assign(process.env, findFfmpeg(), findChromium());
requireNginx();
requirePgBouncer();
installArchivePrograms();
installStore();
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });

const stages = values.slow
  ? await runSlow(minutesOf(values.minutes), Number(values.seed ?? Date.now() % 100_000))
  : words.length > 0
    ? await runMatching()
    : await runCore();
process.exitCode = printSummary(stages) ? 0 : 1;

async function runCore(): Promise<Stage[]> {
  const [built, ...checks] = await Promise.all([
    runBuild(),
    runCheck("type check", "tsc", ["--noEmit"]),
    runCheck("lint", "biome", ["check", "."]),
    runCheck("dead code", "knip", []),
  ]);
  return [...checks, ...(await afterBuild(built, () => runFiles(files.filter((file) => !isSlow(file)))))];
}

async function runMatching(): Promise<Stage[]> {
  const matching = files.filter((file) => words.some((word) => file.includes(word)));
  if (matching.length === 0) {
    console.error(`No test file has ${words.join(" or ")} in its path.`);
    process.exit(2);
  }
  return afterBuild(await runBuild(), () => runFiles(matching));
}

/** One after the other: a browser beside other tests keeps both processors busy and delays them all. */
async function runFiles(chosen: string[]): Promise<Stage[]> {
  const [unit, browser] = byKind(chosen);
  return [
    ...(unit.length > 0 ? [await lookAgain(await runUnitTests(unit))] : []),
    ...(browser.length > 0 ? [await lookAgain(await runBrowserTests(browser))] : []),
  ];
}

async function runSlow(minutes: number, seed: number): Promise<Stage[]> {
  console.log(`The seed is ${seed}.`);
  process.env.TEST_SEED = String(seed);
  const begun = Date.now();
  const [unit, browser] = byKind(files.filter(isSlow));
  const afterUnit = begun + minutes * 60_000 * (1 - BROWSER_SHARE);
  const shuffled = ["--sequence.shuffle.files", `--sequence.seed=${seed}`];
  return afterBuild(await runBuild(), async () => [
    await lookAgain(await runUnitTests(unit, shuffled, String(afterUnit))),
    ...(await runBrowserInParts(shuffle(browser, seed), begun + minutes * 60_000)),
  ]);
}

async function runBrowserInParts(chosen: string[], endsAt: number): Promise<Stage[]> {
  const left = [...chosen];
  const parts: Stage[] = [];
  while (left.length > 0 && Date.now() < endsAt)
    parts.push(await lookAgain(await runBrowserTests(left.splice(0, BROWSER_FILES_AT_ONCE))));
  return [...parts, { name: "browser", passed: 0, failures: [], unstable: [], seconds: {}, noTime: left }];
}

async function afterBuild(built: Stage, run: () => Promise<Stage[]>): Promise<Stage[]> {
  return built.failures.length > 0 ? [built] : [built, ...(await run())];
}

function byKind(chosen: string[]): [unit: string[], browser: string[]] {
  return [chosen.filter((file) => !isBrowserTest(file)), chosen.filter(isBrowserTest)];
}

function shuffle(chosen: string[], seed: number): string[] {
  const place = (file: string) => createHash("sha256").update(`${seed} ${file}`).digest("hex");
  return chosen.toSorted((a, b) => place(a).localeCompare(place(b)));
}

function minutesOf(text: string | undefined): number {
  const minutes = Number(text ?? Number.POSITIVE_INFINITY);
  if (minutes > 0) return minutes;
  console.error("Give a number of minutes: npm run test:slow -- --minutes 40");
  process.exit(2);
}
