import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { ProcessGroup, type Program } from "./processes.ts";

const env: NodeJS.ProcessEnv = { NODE_ENV: "test" };

let group: ProcessGroup;
afterEach(async () => {
  await group.stop();
  vi.restoreAllMocks();
});

const inNode = (name: string, code: string): Program => ({
  ...{ name, args: ["-e", code], env, blockedAfterSeconds: 1, print: () => {} },
});
const USE = (seconds: number) =>
  `const until = process.cpuUsage().user + ${seconds * 1e6}; while (process.cpuUsage().user < until);`;
const BEAT = 'process.send("beat");';
/** The parent hears the beat first. */
const LATER = (code: string) => `setTimeout(() => { ${code} }, 500);`;

test.each([
  ["a loop without an end", `${BEAT} ${LATER("for (;;);")}`],
  ["an expression that never ends", `${BEAT} ${LATER('/^(?:a+)+$/.test("a".repeat(40) + "b")')}`],
  ["promises that never let others in", `${BEAT} ${LATER("(async () => { for (;;) await 0; })()")}`],
])(
  "a program that is blocked by %s is replaced",
  async (_, code) => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    group = new ProcessGroup();
    group.keepRunning(inNode("blocked", code));
    await expect
      .poll(() => said.mock.calls.flat(), { timeout: 60_000 })
      .toEqual([
        "blocked has used 1 s of processor time without answering, and is ended",
        "blocked ended (killed); starting it again in 500 ms",
      ]);
  },
  70_000,
);

test.each([
  ["starts slowly", `${USE(3)} setInterval(() => {}, 1_000);`],
  ["works hard and answers", `setInterval(() => { ${USE(0.5)} ${BEAT} }, 1);`],
  ["gets no turn", `${BEAT} ${LATER('process.kill(process.pid, "SIGSTOP")')}`],
])(
  "a program that %s goes on",
  async (_, code) => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    group = new ProcessGroup();
    group.keepRunning(inNode("busy", code));
    await sleep(8_000);
    expect(said).not.toHaveBeenCalled();
    group.signal("SIGKILL");
  },
  20_000,
);
