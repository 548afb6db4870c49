import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { inspectVideo } from "./inspect.server.ts";
import { planLadder } from "./ladder.ts";
import { makeRung } from "./rung.server.ts";

const NOISE = "noise=alls=100:allf=t";
const CASES: [name: string, seconds: number, noise: string, most: number][] = [
  ["a video of half a second", 0.4, NOISE, 1],
  ["the shortest segments that follow a still picture", 4.2, `${NOISE}:enable='gte(t,2.1)'`, 2],
];

// The encoder may take its buffer beside its rate, which counts most in short segments.
test.each(CASES)(
  "%s has no segment above 1.5 times its ceiling, with its audio",
  {
    timeout: 120_000,
  },
  async (_, seconds, noise, segments) => {
    const folder = mkdtempSync(join(tmpdir(), "peony-rung-"));
    const path = join(folder, "film.mkv");
    execFileSync(config.media.ffmpeg, [
      ...["-v", "error", "-f", "lavfi", "-i", `color=gray:s=854x480:r=25:d=${seconds},${noise}`],
      ...["-f", "lavfi", "-i", `anoisesrc=d=${seconds}:a=0.5`, "-c:v", "libx264", "-preset", "ultrafast"],
      ...["-crf", "10", "-pix_fmt", "yuv420p", "-c:a", "flac", path],
    ]);
    const video = await inspectVideo(path, undefined, { mayBeCopied: false });
    for (const rung of planLadder(video)) {
      const made = await makeRung(folder, "rung.mp4", video, { rung, gain: 0 });
      expect(made.playlist.match(/EXTINF/g)).toHaveLength(segments);
      // Otherwise it would say nothing of the ceiling.
      expect(made.bandwidth).toBeGreaterThan(0.6 * rung.ceiling);
      expect(made.bandwidth, `${rung.size}`).toBeLessThanOrEqual(1.5 * rung.ceiling);
    }
  },
);
