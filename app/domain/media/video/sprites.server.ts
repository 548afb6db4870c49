import { existsSync } from "node:fs";
import { join } from "node:path";
import { type PlayableFile, type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import { inputArguments } from "./probe.server.ts";
import {
  SPRITE_WIDTH,
  SPRITES_ACROSS,
  SPRITES_PER_SHEET,
  spriteCount,
  spriteHeight,
  spritePosition,
  spriteRows,
  spriteSeconds,
} from "./sprite-places.ts";
import { AS_SRGB, encodeStill, type Still } from "./stills.server.ts";

export async function makeSprites(
  folder: string,
  video: PlayableFile & { width: number; height: number },
  { nameOf, ...options }: RunOptions & { nameOf: (sheet: number) => string },
): Promise<{ sheets: Still[]; vtt: string }> {
  const { seconds } = video;
  const every = spriteSeconds(seconds);
  const count = spriteCount(seconds);
  const height = spriteHeight(video);
  const still = `tpad=stop_mode=clone:stop_duration=${every}`;
  const filters = `${still},fps=1/${every}:round=up:start_time=0,scale=${SPRITE_WIDTH}:${height},tile=${Math.min(SPRITES_ACROSS, count)}x${spriteRows(seconds)},${AS_SRGB}`;
  const sheetCount = Math.ceil(count / SPRITES_PER_SHEET);
  const output = ["-an", "-vf", filters, "-frames:v", String(sheetCount), "-c:v", "png", "-f", "image2"];
  const input = ["-skip_frame", "nokey", ...inputArguments(video.path)];
  const run = { ...options, folder };
  await runFfmpeg([...input, ...output, "-y", "sheet-%d.png"], seconds, run);
  const sheets: Still[] = [];
  for (let sheet = 1; existsSync(join(folder, `sheet-${sheet}.png`)); sheet += 1) {
    sheets.push(await encodeStill(join(folder, `sheet-${sheet}.png`), null));
  }
  const cues = Array.from({ length: count }, (_, index) => {
    const { sheet, x, y } = spritePosition(index);
    const box = [x * SPRITE_WIDTH, y * height, SPRITE_WIDTH, height];
    const end = Math.min(seconds, (index + 1) * every);
    return `${vttTime(index * every)} --> ${vttTime(end)}\n${nameOf(sheet)}#xywh=${box.join()}\n`;
  });
  return { sheets, vtt: `WEBVTT\n\n${cues.join("\n")}` };
}

function vttTime(seconds: number): string {
  return new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
}
