import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { inspectVideo } from "./inspect.server.ts";
import { planLadder } from "./ladder.ts";
import { makeRungs } from "./rung.server.ts";

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
    const { made } = await makeRungs(folder, video, { rungs: planLadder(video), gain: 0 });
    for (const { rung, playlist, bandwidth } of made) {
      expect(playlist.match(/EXTINF/g)).toHaveLength(segments);
      // Otherwise it would say nothing of the ceiling.
      expect(bandwidth).toBeGreaterThan(0.6 * rung.ceiling);
      expect(bandwidth, `${rung.size}`).toBeLessThanOrEqual(1.5 * rung.ceiling);
    }
  },
);
