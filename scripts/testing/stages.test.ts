import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readPlaywrightReport, readVitestReport } from "./reports.ts";
import { ofReport } from "./stages.ts";
import { runTool } from "./tools.ts";

const folder = mkdtempSync(join(tmpdir(), "peony-reports-"));
afterAll(() => rmSync(folder, { recursive: true }));

const passing = { status: "passed", fullName: "a test", failureMessages: [] };
const file = (name: string, more: object = {}) => ({
  name: join(process.cwd(), name),
  status: "passed",
  message: "",
  startTime: 1_000,
  endTime: 3_000,
  assertionResults: [passing],
  ...more,
});

test("a whole report counts its tests and names those that failed", () => {
  const failed = { status: "failed", fullName: "another test", failureMessages: ["expected 1 to be 2"] };
  const report = vitestReport(file("a.test.ts"), file("b.test.ts", { assertionResults: [passing, failed] }));
  expect(report).toEqual({
    passed: 2,
    failures: [{ file: "b.test.ts", title: "another test", message: "expected 1 to be 2" }],
    seconds: { "a.test.ts": 2, "b.test.ts": 2 },
  });
  expect(ofReport("unit", ["a.test.ts", "b.test.ts"], 1, report).failures).toEqual(report?.failures);
});

test("a file whose worker died fails, although no test did", () => {
  const report = vitestReport(file("a.test.ts", { status: "failed", assertionResults: [] }));
  expect(report?.failures).toEqual([{ file: "a.test.ts", title: "the file itself", message: "" }]);
});

test.each([
  ["a tool that leaves no report", 1, null],
  ["a tool that was killed", null, vitestReport(file("a.test.ts"))],
  ["a tool that fails beside its tests", 1, vitestReport(file("a.test.ts"))],
  ["a tool that leaves out a file", 0, vitestReport(file("other.test.ts"))],
])("%s has failed itself", (_, status, report) => {
  const { failures } = ofReport("unit", ["a.test.ts"], status, report);
  expect(failures).toEqual([expect.objectContaining({ file: "", title: "unit" })]);
});

test("a tool that leaves out a file has failed itself, also when another test failed", () => {
  const report = vitestReport(file("a.test.ts", { status: "failed", message: "no module" }));
  expect(ofReport("unit", ["a.test.ts", "b.test.ts"], 1, report).failures.map((one) => one.file)).toEqual([
    "a.test.ts",
    "",
  ]);
});

test("a browser test is named by its file, with its project and its site", () => {
  const result = { duration: 1_500, parallelIndex: 1, errors: [{ message: "not visible" }] };
  const spec = {
    file: "menus.spec.ts",
    title: "the menu opens",
    ok: false,
    tests: [{ projectName: "without JavaScript at 390", status: "unexpected", results: [result] }],
  };
  const path = write({ suites: [{ suites: [{ specs: [spec] }] }], errors: [] });
  expect(readPlaywrightReport(path)).toEqual({
    passed: 0,
    failures: [
      {
        file: "tests/e2e/menus.spec.ts",
        title: "[without JavaScript at 390] the menu opens",
        message: "not visible",
        site: 1,
      },
    ],
    seconds: { "tests/e2e/menus.spec.ts": 1.5 },
  });
});

test("a tool ends with what it has started when its time is over", async () => {
  const endsAt = performance.now();
  const { status } = await runTool("vitest", ["--version"], { isQuiet: true, endsAt });
  expect(status).toBeNull();
});

test("an error that no test has caught is a failure of the run, also beside a failed test", () => {
  const failed = { status: "failed", fullName: "another test", failureMessages: ["expected 1 to be 2"] };
  const report = readVitestReport(
    write({ testResults: [file("a.test.ts", { assertionResults: [failed] })] }),
    write(["Error: connection ended"]),
  );
  expect(ofReport("unit", ["a.test.ts"], 1, report).failures).toEqual([
    expect.objectContaining({ file: "a.test.ts" }),
    { file: "", title: "an error that no test has caught", message: "Error: connection ended" },
  ]);
});

function vitestReport(...testResults: object[]) {
  return readVitestReport(write({ testResults }), write([]));
}

function write(report: object): string {
  const path = join(mkdtempSync(join(folder, "report-")), "report.json");
  writeFileSync(path, JSON.stringify(report));
  return path;
}
