// Needed because a frame of 4K takes two seconds and 400 MB, when the key frame before it is ten seconds away.
import { bulkhead } from "cockatiel";
import { config } from "#app/config.server.ts";
import { runCommand } from "../limited-program.server.ts";
import { NICENESS } from "./ffmpeg.server.ts";
import { inputArguments, VideoError } from "./probe.server.ts";
import { AS_SRGB } from "./stills.server.ts";

const LIMITS = { memoryKb: 2_000_000, cpuSeconds: 60, timeoutMs: 45_000 };
const MAX_WAITING = 5;
const FLAGS = ["-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1"];
const PNG = ["-frames:v", "1", "-c:v", "png", "-f", "image2pipe", "pipe:1"];
const OUTPUT = ["-map", "0:v:0", "-vf", AS_SRGB, ...PNG];

const cutting = bulkhead(1, MAX_WAITING);

/** A PNG. Throws a VideoError, or cockatiel's BulkheadRejectedError when too many wait. */
export async function cutFrame(path: string, seconds: number): Promise<Uint8Array> {
  const command = [
    ...["nice", "-n", String(NICENESS), config.media.ffmpeg, ...FLAGS],
    ...["-ss", seconds.toFixed(3), ...inputArguments(path), ...OUTPUT],
  ];
  const { exitCode, stdout } = await cutting.execute(() => runCommand(command, new Uint8Array(), LIMITS));
  if (exitCode === null) throw new VideoError("cutting this picture took too long");
  if (exitCode !== 0 || stdout.length === 0) throw new VideoError("the video has no picture at this moment");
  return stdout;
}
