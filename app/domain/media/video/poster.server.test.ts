import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { inspectVideo } from "./inspect.server.ts";
import { makePoster, makeSourcePoster } from "./poster.server.ts";
import { isBlack, lookAt } from "./stills.server.ts";

const folder = mkdtempSync(join(tmpdir(), "peony-posters-"));
const SECONDS = 8;

/** Its picture is black from one second to another. */
function darkVideo(name: string, from: number, to: number): string {
  const path = join(folder, name);
  const dark = `drawbox=c=black:t=fill:enable='between(t,${from},${to})'`;
  execFileSync(config.media.ffmpeg, [
    ...["-v", "error", "-f", "lavfi", "-i", `testsrc2=s=320x180:r=10:d=${SECONDS},${dark}`],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", path],
  ]);
  return path;
}

test.each([
  ["whose first half is black", 0, 4.5],
  ["that is black but for its end", 0, 5.3],
])("a video %s has a poster that shows something", { timeout: 60_000 }, async (name, from, to) => {
  const path = darkVideo(`${from}-${to}.mp4`, from, to);
  const target = join(folder, `${from}-${to}.png`);
  await makePoster(path, target, SECONDS);
  expect(isBlack(await lookAt(target)), name).toBe(false);
  const source = join(folder, `${from}-${to}-source.png`);
  expect(await makeSourcePoster(await inspectVideo(path), source, SECONDS)).toBe(true);
  expect(isBlack(await lookAt(source)), name).toBe(false);
});

test("an entirely black video has a poster", { timeout: 60_000 }, async () => {
  const target = join(folder, "black.png");
  await makePoster(darkVideo("black.mp4", 0, SECONDS), target, SECONDS);
  expect(isBlack(await lookAt(target))).toBe(true);
});
