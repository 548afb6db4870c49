import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { log } from "#app/log.server.ts";
import { runEncoding } from "./run-encoding.ts";

test("a worker says at its start what ffmpeg lacks, and works nevertheless", async () => {
  const { ffmpeg } = config.media;
  config.media.ffmpeg = join(mkdtempSync(join(tmpdir(), "peony-ffmpeg-")), "ffmpeg");
  writeFileSync(config.media.ffmpeg, `#!/bin/sh\n"${ffmpeg}" "$@" | grep -v -e " idet " -e " libx264 "\n`, {
    mode: 0o700,
  });
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  onTestFinished(() => {
    config.media.ffmpeg = ffmpeg;
    vi.restoreAllMocks();
  });
  const { stop } = await runEncoding(1);
  await expect
    .poll(() => warn.mock.calls)
    .toEqual([[{ missing: ["libx264", "idet"] }, "ffmpeg lacks what some video files need"]]);
  await stop();
});
