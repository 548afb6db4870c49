import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { ProcessGroup, type Program } from "./processes.ts";

const env: NodeJS.ProcessEnv = { NODE_ENV: "test" };

let group: ProcessGroup;
afterEach(async () => {
  await group.stop();
  vi.restoreAllMocks();
});

const inNode = (name: string, code: string, flags: string[] = []): Program => ({
  ...{ name, args: [...flags, "-e", code], env, blockedAfterSeconds: 1, print: () => {} },
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
  ["works hard and answers", `setInterval(() => { ${USE(0.1)} ${BEAT} }, 1);`],
  ["gets no turn", `${BEAT} ${LATER('process.kill(process.pid, "SIGSTOP")')}`],
  [
    "waits for a thread",
    `${BEAT} ${LATER('new (require("node:worker_threads").Worker)("for (;;);", { eval: true })')}`,
  ],
  [
    "waits for the pool of threads",
    `${BEAT} ${LATER('require("node:crypto").pbkdf2("a", "b", 2e9, 64, "sha512", () => {})')}`,
  ],
  ["has a debugger", `${BEAT} ${LATER("for (;;);")}`, ["--inspect=0"]],
])(
  "a program that %s goes on",
  async (_, code, flags: string[] = []) => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    group = new ProcessGroup();
    group.keepRunning(inNode("busy", code, flags));
    await sleep(8_000);
    expect(said).not.toHaveBeenCalled();
    group.signal("SIGKILL");
  },
  20_000,
);

test.each(["--inspect=0", "--no-warnings --inspect=0", '"--inspect=0"'])(
  "a program goes on if NODE_OPTIONS has a debugger: %s",
  async (options) => {
    vi.stubEnv("NODE_OPTIONS", options);
    onTestFinished(() => void vi.unstubAllEnvs());
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    group = new ProcessGroup();
    group.keepRunning({ ...inNode("busy", `${BEAT} ${LATER("for (;;);")}`), env: { ...process.env } });
    await sleep(8_000);
    expect(said).not.toHaveBeenCalled();
    group.signal("SIGKILL");
  },
  20_000,
);
