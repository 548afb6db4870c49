import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { POSTER_LONG_SIDE } from "../renditions.ts";
import { runFfmpeg } from "./ffmpeg.server.ts";
import type { InspectedVideo } from "./inspect.server.ts";
import { inputArguments, VideoError } from "./probe.server.ts";
import { scaled } from "./renditions-plan.ts";
import { isBlack, lookAt, stillOutput } from "./stills.server.ts";
import { filtersOf } from "./transcode.server.ts";

const TYPICAL = "thumbnail=60";
const LATER = [0.3, 0.5, 0.7];

/** For a source of which only a small size exists so far. Resolves with false if its beginning shows no picture. */
export async function makeSourcePoster(
  video: InspectedVideo,
  target: string,
  durationSeconds: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const { width, height, input, picture } = video;
  const size = scaled(width, height, Math.min(1, POSTER_LONG_SIDE / Math.max(width, height)));
  const filters = [filtersOf(video, size), TYPICAL];
  const cut = async (start: number, path: string) => {
    const seek = ["-ss", start.toFixed(3), ...input, "-map", `0:${picture}`];
    await runFfmpeg([...seek, ...stillOutput(path, filters)], durationSeconds, { signal });
  };
  try {
    await cut(posterStart(durationSeconds), target);
  } catch (error) {
    if (!(error instanceof VideoError)) throw error;
    return false;
  }
  if (!existsSync(target)) return false;
  await replaceBlack(target, durationSeconds, cut);
  return true;
}

/** Writes a typical early frame as a PNG: a later one if that is black, the last one of a very short video. Throws a VideoError. */
export async function makePoster(
  source: string,
  target: string,
  durationSeconds: number,
  signal?: AbortSignal,
): Promise<void> {
  const start = posterStart(durationSeconds);
  const input = inputArguments(source);
  const run = (args: string[]) => runFfmpeg(args, durationSeconds, { signal });
  const cut = async (at: number, path: string) => {
    await run(["-ss", at.toFixed(3), ...input, ...stillOutput(path, [TYPICAL])]);
  };
  await cut(start, target);
  if (existsSync(target)) return replaceBlack(target, durationSeconds, cut);
  const still = `fps=5:eof_action=pass,tpad=stop_mode=clone:stop_duration=${start + 1},trim=start=${start}`;
  await run([...input, ...stillOutput(target, [still])]);
  if (!existsSync(target)) throw new VideoError("no picture in it can be decoded");
}

async function replaceBlack(
  target: string,
  durationSeconds: number,
  cut: (start: number, path: string) => Promise<void>,
): Promise<void> {
  let best = await lookAt(target);
  for (const part of LATER) {
    if (!isBlack(best)) break;
    const path = `${target}-${part}`;
    try {
      await cut(part * durationSeconds, path);
    } catch (error) {
      if (!(error instanceof VideoError)) throw error;
      continue;
    }
    if (!existsSync(path)) continue;
    const later = await lookAt(path);
    if (later.mean > best.mean || !isBlack(later)) best = later;
  }
  if (best.path !== target) await rename(best.path, target);
}

/** Rounded, because ffmpeg does not read 1e-7, as a time within a single frame may be written. */
function posterStart(durationSeconds: number): number {
  return Number(Math.min(30, durationSeconds * 0.1).toFixed(3));
}
