import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { config } from "#app/config.server.ts";
import { listMissingNeeds } from "./encoding-needs.server.ts";

test("a usual ffmpeg lacks nothing, and what another lacks is named", async () => {
  expect(await listMissingNeeds()).toEqual([]);
  const { ffmpeg } = config.media;
  const path = join(mkdtempSync(join(tmpdir(), "peony-ffmpeg-")), "ffmpeg");
  const lacking = ["libx264", "idet", "setsar", "setpts", "format", "trim", "tpad"];
  const left = lacking.map((name) => `-e " ${name} "`).join(" ");
  writeFileSync(path, `#!/bin/sh\n"${ffmpeg}" "$@" | grep -v ${left}\n`, { mode: 0o700 });
  config.media.ffmpeg = path;
  onTestFinished(() => {
    config.media.ffmpeg = ffmpeg;
  });
  expect((await listMissingNeeds()).sort()).toEqual(lacking.sort());
});
