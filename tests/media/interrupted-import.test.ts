import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { H264, openImport } from "../support/import-folder.ts";

const { mediaDir, ffmpeg, start, run, rows, expectDiskToMatch } = await openImport();

test.each(["SIGKILL", "SIGINT"] as const)(
  "an import ended by %s is completed by the next",
  async (signal) => {
    ffmpeg("first.mp4", [...H264]);
    ffmpeg("second.mkv", ["-c:v", "mpeg4", "-q:v", "2"], { size: "640x480", seconds: 8, sound: false });
    const { child, ended } = start();
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    while (!output.includes("imported") && child.exitCode === null) await sleep(50);
    // The second import is in progress.
    await expect.poll(() => readdir(join(mediaDir, ".incoming")), { interval: 20 }).not.toEqual([]);
    child.kill(signal);
    await ended;
    expect((await rows()).map(({ title }) => title)).toEqual(["first"]);
    if (signal === "SIGINT") await expectDiskToMatch();

    expect((await run()).output).toContain("1 imported, 1 already there, 0 refused");
    await expectDiskToMatch();
  },
  180_000,
);
