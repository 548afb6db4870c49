import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildForTest } from "./build-for-test.ts";
import type { NamedTest } from "./patches.ts";

export type Outcome =
  | { kind: "green" }
  /** At least one test failed an expectation. */
  | { kind: "red"; tests: string[] }
  /** Nothing ran, or the run ended for a reason other than a failed expectation. */
  | { kind: "broken"; why: string };

interface Report {
  numPassedTests: number;
  testResults: {
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** Matches failed expectations of Vitest and fast-check; a timeout or a crash proves nothing. */
const DETECTED = /AssertionError|^Error: Property failed|__VITEST_(POLL|REJECTS|RESOLVES)_/;
const TIMED_OUT = /^Error: expect\.poll\(\) \w+ didn't resolve in time/;
const REPORT = "test-results/mutant.json";
const TIME_LIMIT_MS = 8 * 60_000;
const STOP_TIMEOUT_MS = 15_000;

const running = new Set<ChildProcess>();
let isStopping = false;

/** Runs one test file, or only its named tests, in `folder`. */
export async function runNamedTest({ file, name, error }: NamedTest, folder: string): Promise<Outcome> {
  rmSync(join(folder, REPORT), { force: true });
  try {
    await buildForTest(file, folder);
  } catch (failure) {
    return { kind: "broken", why: `it does not build: ${beginningOf((failure as Error).message)}` };
  }
  const only = name === null ? [] : ["-t", escaped(name)];
  const args = ["run", file, ...only, "--reporter=json", `--outputFile.json=${REPORT}`];
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", ...args], {
    cwd: folder,
    stdio: "ignore",
    // The process group lets stop() end the test's child processes too.
    detached: true,
  });
  running.add(child);
  const timer = setTimeout(() => void stop(child), TIME_LIMIT_MS);
  await once(child, "exit");
  clearTimeout(timer);
  running.delete(child);
  // Resolving would let the caller start the next test.
  if (isStopping) return new Promise(() => {});
  const path = join(folder, REPORT);
  if (!existsSync(path)) return { kind: "broken", why: "the run left no report" };
  return judge(JSON.parse(readFileSync(path, "utf8")) as Report, error);
}

/** Resolves when the running tests and all their child processes have ended. */
export async function stopNamedTests(): Promise<void> {
  isStopping = true;
  await Promise.all([...running].map(stop));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const group = -child.pid;
  const gone = once(child, "exit");
  process.kill(group, "SIGINT");
  const timer = setTimeout(() => process.kill(group, "SIGKILL"), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}

function judge({ testResults, numPassedTests }: Report, error: string | null): Outcome {
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "failed");
  const detected = failed.filter(({ failureMessages }) =>
    failureMessages.some(
      (message) =>
        (DETECTED.test(message) && !TIMED_OUT.test(message)) || (error !== null && message.includes(error)),
    ),
  );
  if (detected.length > 0) return { kind: "red", tests: detected.map(({ fullName }) => fullName) };
  const messages = [
    ...failed.flatMap(({ failureMessages }) => failureMessages),
    ...testResults.map(({ message }) => message),
  ];
  const [message] = messages.filter((one) => one !== "");
  if (message !== undefined) return { kind: "broken", why: beginningOf(message) };
  return numPassedTests > 0 ? { kind: "green" } : { kind: "broken", why: "no test ran" };
}

function beginningOf(message: string): string {
  return message.split("\n").slice(0, 5).join(" ");
}

/** Vitest takes a name as a regular expression. */
function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
