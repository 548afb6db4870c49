import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { H264, openImport } from "../support/import-folder.ts";

const { workDir, ffmpeg, start, run, rows, expectStorageToMatch } = await openImport();

test("an import ended by SIGKILL, and then by SIGINT, is completed by the next", async () => {
  ffmpeg("first.mp4", [...H264], { size: "160x120" });
  ffmpeg("second.mkv", ["-c:v", "mpeg4", "-q:v", "2"], { size: "640x480", seconds: 8, audio: false });
  for (const signal of ["SIGKILL", "SIGINT"] as const) {
    const { child, ended } = start();
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    const isPast = () => output.includes("imported") || output.includes("already there");
    while (!isPast() && child.exitCode === null) await sleep(50);
    // The second import is in progress.
    await expect.poll(() => readdir(join(workDir, ".incoming")), { interval: 20 }).not.toEqual([]);
    child.kill(signal);
    await ended;
    expect((await rows()).map(({ title }) => title)).toEqual(["first"]);
    if (signal === "SIGINT") await expectStorageToMatch();
  }
  expect((await run()).output).toContain("1 imported, 1 already there, 0 refused");
  await expectStorageToMatch();
}, 180_000);
