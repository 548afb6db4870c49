import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { installWhenStale, requireNode } from "./build/install.mjs";
import { findChromium, findFfmpeg, requireNginx } from "./build/programs.mjs";

const RESULTS = "test-results";
/** Enough to know the cause where only the end of the output is kept. */
const ERROR_LINES = 12;
const TESTED = ["app", "db", "demo", "scripts", "tests"];

requireNode();
installWhenStale();
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });
const { buildWhenStale } = await import("./build/build-state.mjs");

const environment = { ...process.env, ...findFfmpeg(), ...findChromium() };
requireNginx();
const words = process.argv.slice(2);
summarize(words.length > 0 ? await runMatching() : await runAll());

/** Test files with one of the words in their path. */
async function runMatching() {
  const paths = TESTED.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => `${folder}/${path}`),
  ).filter((path) => /\.(test\.tsx?|spec\.ts)$/.test(path));
  const matching = paths.filter((path) => words.some((word) => path.includes(word)));
  if (matching.length === 0) {
    console.error(`No test file has ${words.join(" or ")} in its path.`);
    process.exit(2);
  }
  const [browser, unit] = [true, false].map((isBrowser) =>
    matching.filter((path) => path.endsWith(".spec.ts") === isBrowser),
  );
  return [
    await buildStep(),
    ...(unit.length > 0 ? [vitestStep(unit)] : []),
    ...(browser.length > 0 ? [testStep("browser", "playwright", ["test", ...browser])] : []),
  ];
}

async function runAll() {
  // Each of them uses little more than one processor, so they run beside the build.
  const checks = [
    checkStep("type check", ["tsc", "--noEmit"]),
    checkStep("lint", ["biome", "check", "."]),
    checkStep("dead code", ["knip"]),
  ];
  return [
    await buildStep(),
    ...(await Promise.all(checks)),
    vitestStep([]),
    testStep("browser", "playwright", ["test"]),
  ];
}

function vitestStep(files) {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${RESULTS}/vitest.json`];
  return testStep("unit and integration", "vitest", ["run", ...reporters, ...files]);
}

async function buildStep() {
  try {
    await buildWhenStale();
    return { name: "build", passed: 1, failed: 0 };
  } catch (error) {
    console.error(error.message);
    return { name: "build", passed: 0, failed: 1 };
  }
}

/** Prints what the check says in one piece, because others run at the same time. */
async function checkStep(name, args) {
  const child = spawn("npx", args, { stdio: ["ignore", "pipe", "pipe"], env: environment });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part) => (said += part));
  const [status] = await once(child, "close").catch((error) => [error.message]);
  console.log(`\n── ${name}\n${said.trimEnd()}`);
  return resultOf(name, status);
}

function runStep(name, command, args) {
  console.log(`\n── ${name}`);
  return resultOf(name, spawnSync(command, args, { stdio: "inherit", env: environment }).status);
}

function resultOf(name, status) {
  return { name, passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 };
}

/** Takes the numbers, and the titles and errors of failed tests, from the runner's report; a runner that fails without one counts as one failure. */
function testStep(name, runner, args) {
  const { failed } = runStep(name, "npx", [runner, ...args]);
  const counts = readReport(`${RESULTS}/${runner}.json`);
  if (failed && counts.failed === 0) return { ...counts, name, failed: 1 };
  if (!failed && counts.passed === 0) return { ...counts, name: `${name}: no test ran`, failed: 1 };
  return { name, ...counts };
}

function readReport(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0, failures: [] };
  const report = JSON.parse(readFileSync(file, "utf8"));
  return report.stats ? readPlaywrightReport(report) : readVitestReport(report);
}

function readVitestReport({ numPassedTests, numFailedTests, testResults }) {
  const failures = testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter(({ status }) => status === "failed");
    if (failed.length === 0 && message) return [{ title: file, message }];
    return failed.map(({ fullName, failureMessages }) => ({
      title: `${file}: ${fullName}`,
      message: failureMessages.join("\n"),
    }));
  });
  return { passed: numPassedTests, failed: numFailedTests, failures };
}

function readPlaywrightReport({ stats, suites }) {
  const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
  const failures = suites
    .flatMap(specs)
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => ({
      title: `${file} [${tests[0]?.projectName}]: ${title}`,
      message: tests
        .flatMap(({ results }) => results.flatMap(({ errors }) => errors.map(({ message }) => message)))
        .join("\n"),
    }));
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, failures };
}

function summarize(results) {
  console.log("\n── summary");
  for (const { name, passed, failed, failures = [] } of results) {
    console.log(`${failed === 0 ? "ok    " : "FAILED"}  ${name} (${passed} passed, ${failed} failed)`);
    for (const { title, message } of failures) {
      const beginning = stripVTControlCharacters(message).split("\n").slice(0, ERROR_LINES);
      for (const line of [title, ...beginning.map((line) => `  ${line}`)]) console.log(`        ${line}`);
    }
  }
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  console.log(`${total("passed")} passed, ${total("failed")} failed`);
  process.exit(total("failed") === 0 ? 0 : 1);
}
