import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { runFfmpeg } from "./ffmpeg.server.ts";
import { inputArguments } from "./probe.server.ts";

test("the last lines of ffmpeg hold its complaints, and nothing of a file's metadata", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "peony-lines-")), "a.mkv");
  execFileSync(config.media.ffmpeg, [
    ...["-v", "error", "-f", "lavfi", "-i", "color=s=64x64:d=1", "-c:v", "libx264"],
    ...["-metadata", "title=Canary one\n[error] Canary two", "-metadata:s:v", "title=Canary three", path],
  ]);
  const heard: string[] = [];
  const failed = runFfmpeg([...inputArguments(path), "-c:v", "none-such", "-f", "null", "-"], 1, {
    onReport: (line) => void heard.push(line),
  });
  const error = await failed.catch((thrown: { lines: string[] }) => thrown);
  expect(heard.join()).toContain("Canary");
  expect((error as { lines: string[] }).lines.join()).toMatch(/none-such/);
  expect((error as { lines: string[] }).lines.join()).not.toMatch(/canary/i);
});
