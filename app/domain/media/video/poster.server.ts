import { runFfmpeg } from "./ffmpeg.server.ts";
import { inputArguments } from "./probe.server.ts";

/** Writes a typical frame from the beginning of the video to `target`, a PNG. Throws a VideoError. */
export async function makePoster(
  source: string,
  target: string,
  durationSeconds: number,
  signal?: AbortSignal,
) {
  const start = String(Math.min(30, durationSeconds * 0.1));
  const frame = [
    "-vf",
    "thumbnail=60",
    "-frames:v",
    "1",
    "-c:v",
    "png",
    "-f",
    "image2",
    "-y",
    `file:${target}`,
  ];
  await runFfmpeg(["-ss", start, ...inputArguments(source), ...frame], durationSeconds, { signal });
}
