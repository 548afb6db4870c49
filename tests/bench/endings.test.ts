import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { descendants, stillRunning } from "../support/process/process-tree.ts";

/** Starts a shell with a program in a folder, as a suite starts a server. One of the two ignores Ctrl-C. */
const SUITE = `
  import { spawn } from "node:child_process";
  import { endAllOnSignal, openFolder } from "./bench/site/endings.ts";
  endAllOnSignal();
  const folder = await openFolder();
  spawn("sh", ["-c", "sleep 600 & wait"], { cwd: folder, stdio: "ignore", detached: true });
  spawn("sh", ["-c", "trap '' INT; echo ready; sleep 600"], { stdio: ["ignore", "inherit", "inherit"] });
  console.log(folder);
  setInterval(() => {}, 1_000);`;

test.concurrent.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends all that a benchmark has started",
  async (signal) => {
    const bench = spawn(process.execPath, ["--input-type=module-typescript", "--eval", SUITE], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    bench.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    await expect
      .poll(() => descendants(bench.pid ?? 0).filter(({ command }) => /^sleep/.test(command)).length)
      .toBe(2);
    await expect.poll(() => output).toContain("peony-bench-");
    const started = descendants(bench.pid ?? 0);
    const folder = /\S*peony-bench-\S+/.exec(output)?.[0] ?? "";
    expect(existsSync(folder)).toBe(true);
    bench.kill(signal);
    expect(await once(bench, "exit")).toEqual([1, null]);
    expect([stillRunning(started), existsSync(folder)]).toEqual([[], false]);
  },
);
