import { expect, test, vi } from "vitest";
import { judge } from "./second-look.ts";
import { printSummary } from "./summary.ts";

vi.spyOn(console, "log").mockReturnValue();

const failure = (file: string) => ({ file, title: `a test of ${file}`, message: "expected 1 to be 2" });
const stage = (...files: string[]) => ({
  name: "unit and integration",
  passed: 10,
  failures: files.map(failure),
  unstable: [],
  seconds: {},
});

test("a test that fails again is red, and one that passes alone is named as unstable", async () => {
  const judged = await judge(stage("red.test.ts", "shaky.test.ts"), async () => [failure("red.test.ts")]);
  expect(judged.failures).toEqual([failure("red.test.ts")]);
  expect(judged.unstable).toEqual([failure("shaky.test.ts")]);
  expect(printSummary([judged], 2)).toBe(false);
  expect(console.log).toHaveBeenCalledWith("UNSTABLE shaky.test.ts: a test of shaky.test.ts");
  expect(console.log).toHaveBeenLastCalledWith("11 passed, 1 failed");
});

test("two unstable files are green in the gate, three are red, and one is red in the full run", async () => {
  const passAgain = async () => [];
  const two = await judge(stage("a.test.ts", "b.test.ts"), passAgain);
  const three = await judge(stage("a.test.ts", "b.test.ts", "c.test.ts"), passAgain);
  const one = await judge(stage("a.test.ts"), passAgain);
  expect([printSummary([two], 2), printSummary([three], 2), printSummary([one], 0)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a runner that fails itself gets no second look", async () => {
  const runAgain = vi.fn(async () => []);
  const judged = await judge(stage(""), runAgain);
  expect(runAgain).not.toHaveBeenCalled();
  expect(printSummary([judged], 2)).toBe(false);
});

test("a second look that ends without its tests leaves everything red", async () => {
  const judged = await judge(stage("a.test.ts"), async () => [failure("")]);
  expect(judged.failures).toHaveLength(1);
});
