import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { installWhenStale, requireNode } from "./start/install.mjs";
import { findChromium, findFfmpeg } from "./start/programs.mjs";

const RESULTS = "test-results";

requireNode();
installWhenStale();
rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });
const { buildWhenStale } = await import("./start/build-state.mjs");

const environment = { ...process.env, ...findFfmpeg(), ...findChromium() };
const steps = [
  await buildStep(),
  runStep("type check", "npx", ["tsc", "--noEmit"]),
  runStep("lint", "npx", ["biome", "check", "."]),
  runStep("dead code", "npx", ["knip"]),
  testStep("unit and integration", "vitest", [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${RESULTS}/vitest.json`,
  ]),
  ...(existsSync("tests/e2e") ? [testStep("browser", "playwright", ["test"])] : []),
];
summarize(steps);

async function buildStep() {
  try {
    await buildWhenStale();
    return { name: "build", passed: 1, failed: 0 };
  } catch (error) {
    console.error(error.message);
    return { name: "build", passed: 0, failed: 1 };
  }
}

function runStep(name, command, args) {
  console.log(`\n── ${name}`);
  const { status } = spawnSync(command, args, { stdio: "inherit", env: environment });
  return { name, passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 };
}

/** Counts tests by the runner's own report; a runner that fails without one counts as one failure. */
function testStep(name, runner, args) {
  const { failed } = runStep(name, "npx", [runner, ...args]);
  const counts = readCounts(`${RESULTS}/${runner}.json`);
  if (failed && counts.failed === 0) return { name, passed: counts.passed, failed: 1 };
  if (!failed && counts.passed === 0) return { name: `${name}: no test ran`, passed: 0, failed: 1 };
  return { name, ...counts };
}

function readCounts(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0 };
  const report = JSON.parse(readFileSync(file, "utf8"));
  return report.stats
    ? { passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected }
    : { passed: report.numPassedTests, failed: report.numFailedTests };
}

function summarize(results) {
  console.log("\n── summary");
  for (const { name, passed, failed } of results) {
    console.log(`${failed === 0 ? "ok    " : "FAILED"}  ${name} (${passed} passed, ${failed} failed)`);
  }
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  console.log(`${total("passed")} passed, ${total("failed")} failed`);
  process.exit(total("failed") === 0 ? 0 : 1);
}
