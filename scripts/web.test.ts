import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";

/** Without a Node to start, no web process can be spawned. */
const WITHOUT_NODE = 'data:text/javascript,process.execPath="/nowhere/node"';
const TRIES = ["starting another in 500 ms", "starting another in 1000 ms"];

let stop = () => {};
afterEach(() => stop());

test("web processes that cannot be spawned are tried again, and their primary still stops on a signal", async () => {
  const args = ["--import", "tsx", "--import", WITHOUT_NODE, "scripts/web.ts"];
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH, WEB_PROCESSES: "1" };
  const primary = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  stop = () => primary.kill("SIGKILL");
  const gone = once(primary, "exit");
  let said = "";
  primary.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await expect.poll(() => TRIES.filter((one) => said.includes(one)), { timeout: 60_000 }).toEqual(TRIES);
  primary.kill("SIGTERM");
  expect(await gone).toEqual([0, null]);
});
