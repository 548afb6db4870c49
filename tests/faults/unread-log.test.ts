import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

/** Logs after nobody reads its output any more, as a worker does whose supervisor was killed. */
const LOGS_AT_ITS_END = `
  import { log } from "#app/log.server.ts";
  process.stdin.resume().on("end", () => {
    log.error("one");
    log.error("two");
    process.exit(0);
  });
`;
const LOGS_MUCH = `
  import { log } from "#app/log.server.ts";
  for (let line = 0; line < 20_000; line += 1) log.error("much more than a pipe holds");
  process.send("still here");
`;

test.each([
  ["by hand", []],
  ["by the supervisor", ["ipc"] as const],
])("a process started %s ends although nobody reads its log any more", async (_, channel) => {
  const child = run(LOGS_AT_ITS_END, channel);
  const ended = once(child, "exit");
  const killer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  child.stdout?.destroy();
  child.stdin?.end();
  expect(await ended).toEqual([0, null]);
  clearTimeout(killer);
});

test("a process of the supervisor goes on while nobody reads its log", async () => {
  const child = run(LOGS_MUCH, ["ipc"]);
  const killer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  const said = await Promise.race([once(child, "message"), once(child, "exit")]);
  expect(said[0]).toBe("still here");
  clearTimeout(killer);
  child.kill("SIGKILL");
});

function run(program: string, channel: readonly "ipc"[]) {
  return spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", "inherit", ...channel],
    env: { ...process.env, LOG_LEVEL: "info" },
  });
}
