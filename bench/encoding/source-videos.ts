import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The part that is drawn, which a longer video repeats: drawing takes longer than copying. */
const DRAWN_SECONDS = 20;

export async function draw(
  folder: string,
  name: string,
  { size, seconds }: { size: string; seconds: number },
): Promise<string> {
  const path = join(folder, name);
  const picture = ["-f", "lavfi", "-i", `testsrc2=s=${size}:r=25:d=${Math.min(seconds, DRAWN_SECONDS)}`];
  const audio = ["-f", "lavfi", "-i", `sine=f=440:d=${Math.min(seconds, DRAWN_SECONDS)}`];
  const codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"];
  const part = join(folder, `part-${name}`);
  await ffmpeg(...picture, ...audio, ...codecs, part);
  const times = Math.ceil(seconds / DRAWN_SECONDS) - 1;
  await ffmpeg("-stream_loop", String(times), "-i", part, "-c", "copy", "-t", String(seconds), path);
  return path;
}

export async function ffmpeg(...args: string[]): Promise<void> {
  await run("ffmpeg", ["-v", "error", "-y", ...args]);
}
