import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { makeCandidates } from "./cover-candidates.server.ts";

test("black and blurred parts of a video give no cover candidates", {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "peony-candidates-"));
  const path = join(folder, "film.mp4");
  const dark = "drawbox=c=black:t=fill:enable='lt(t,1)'";
  const blurred = "gblur=sigma=40:enable='between(t,2,2.99)'";
  execFileSync(config.media.ffmpeg, [
    ...["-v", "error", "-f", "lavfi", "-i", `testsrc2=s=320x180:r=10:d=6,${dark},${blurred}`],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-crf", "16", "-pix_fmt", "yuv420p", path],
  ]);
  const pictures = await makeCandidates(folder, { path, seconds: 6 }, {});
  expect(pictures.map(({ width, height }) => [width, height])).toEqual([1, 2, 3, 4].map(() => [320, 180]));
});
