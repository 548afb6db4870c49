import { afterEach, expect, test, vi } from "vitest";
import { ProcessGroup, type Program } from "./processes.ts";

const env: NodeJS.ProcessEnv = { NODE_ENV: "test" };
const ABSENT: Program = { name: "absent", command: "/nowhere/program", args: [], env };
/** The kernel refuses an argument of this length, and spawn then throws. */
const TOO_LONG: Program = { name: "long", args: ["x".repeat(4_000_000)], env };

let group: ProcessGroup;
afterEach(async () => {
  await group.stop();
  vi.restoreAllMocks();
});

test.each([ABSENT, TOO_LONG])("a program that cannot be spawned is tried again: $name", async (program) => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  group = new ProcessGroup();
  group.keepRunning(program);
  await expect.poll(() => said.mock.calls.flat()).toHaveLength(2);
  const again = (ms: number) =>
    expect.stringMatching(
      new RegExp(`^${program.name} ended \\(spawn .+\\); starting it again in ${ms} ms$`),
    );
  expect(said.mock.calls.flat()).toEqual([again(500), again(1_000)]);
});

test("a group stops at once while a program waits for its next try", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  group = new ProcessGroup();
  group.keepRunning(ABSENT);
  await group.stop();
  expect(said).not.toHaveBeenCalled();
});
