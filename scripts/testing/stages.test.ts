import { expect, test, vi } from "vitest";
import { lookAgain, type Stage } from "./stages.ts";
import { printSummary } from "./summary.ts";

vi.spyOn(console, "log").mockReturnValue();

const failure = (file: string) => ({ file, title: `a test of ${file}`, message: "expected 1 to be 2" });
const stage = (...files: string[]): Stage => ({
  ...{ name: "unit and integration", passed: 10, failures: files.map(failure) },
  ...{ unstable: [], seconds: {}, noTime: [] },
});

test("a test that fails again is red, and one that passes alone is named as unstable", async () => {
  const judged = await lookAgain(stage("red.test.ts", "shaky.test.ts"), async () => [failure("red.test.ts")]);
  expect(judged).toMatchObject({ failures: [failure("red.test.ts")], unstable: [failure("shaky.test.ts")] });
  expect(printSummary([judged])).toBe(false);
  expect(console.log).toHaveBeenCalledWith("UNSTABLE shaky.test.ts: a test of shaky.test.ts");
  expect(console.log).toHaveBeenLastCalledWith("11 passed, 1 failed");
});

test("two unstable files are green, three are red", async () => {
  const passAgain = async () => [];
  const two = await lookAgain(stage("a.test.ts", "b.test.ts"), passAgain);
  const three = await lookAgain(stage("a.test.ts", "b.test.ts", "c.test.ts"), passAgain);
  expect([printSummary([two]), printSummary([three])]).toEqual([true, false]);
});

test("a tool that fails itself gets no second look, and one that fails then leaves everything red", async () => {
  const runAgain = vi.fn(async () => [failure("")]);
  expect((await lookAgain(stage(""), runAgain)).failures).toHaveLength(1);
  expect(runAgain).not.toHaveBeenCalled();
  expect((await lookAgain(stage("a.test.ts"), runAgain)).failures).toHaveLength(1);
});
