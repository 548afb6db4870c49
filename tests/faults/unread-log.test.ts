import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";

/** Logs after nobody reads its output any more, as a worker does whose supervisor was killed. */
const PROGRAM = `
  import { log } from "#app/log.server.ts";
  process.stdin.resume().on("end", () => {
    log.error("one");
    log.error("two");
    process.exit(0);
  });
`;

test("a process whose log nobody reads any more ends all the same", async () => {
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", PROGRAM], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, LOG_LEVEL: "info" },
  });
  const ended = once(child, "exit");
  const killer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  child.stdout.destroy();
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  clearTimeout(killer);
});
