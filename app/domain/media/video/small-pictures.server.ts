import { existsSync } from "node:fs";
import { join } from "node:path";
import { POSTER_LONG_SIDE } from "../renditions.ts";
import { type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import { inputArguments } from "./probe.server.ts";
import {
  SPRITE_WIDTH,
  SPRITES_ACROSS,
  SPRITES_PER_SHEET,
  spriteHeight,
  spritePosition,
  spriteRows,
  spriteSeconds,
} from "./sprite-places.ts";
import { encodeStill, isBlack, type LookedAt, lookAt, stillOutput } from "./stills.server.ts";

/** A file that browsers play, made by us. */
interface PlayableFile {
  path: string;
  seconds: number;
}

interface Picture {
  data: Buffer;
  width: number;
  height: number;
}

const CANDIDATES = 6;
/** Looks in each of six parts, of which the best counts. */
const LOOKS = 3;
/** A picture with less than this part of the sharpest one's details is blurred. */
const BLURRED_PART = 0.25;

/** Up to six, spread over the video; black and blurred ones are left out. */
export async function makeCandidates(
  folder: string,
  video: PlayableFile,
  options: RunOptions,
): Promise<Picture[]> {
  const looks: LookedAt[][] = [];
  for (let part = 0; part < CANDIDATES; part += 1) {
    const found: LookedAt[] = [];
    for (let look = 0; look < LOOKS; look += 1) {
      const at = ((part + (look + 0.5) / LOOKS) / CANDIDATES) * video.seconds;
      const path = join(folder, `look-${part}-${look}.png`);
      await takeFrame(video, at, path, options);
      if (existsSync(path)) found.push(await lookAt(path));
    }
    looks.push(found);
    options.onProgress?.((part + 1) / CANDIDATES);
  }
  const bright = looks.map((found) => found.filter((looked) => !isBlack(looked)));
  const sharpest = Math.max(...bright.flat().map(({ sharpness }) => sharpness));
  const chosen = bright.flatMap((found) => {
    const [best] = found.toSorted((one, other) => other.sharpness - one.sharpness);
    return best !== undefined && best.sharpness >= sharpest * BLURRED_PART ? [best.path] : [];
  });
  return Promise.all(chosen.map((path) => encodeStill(path, POSTER_LONG_SIDE)));
}

async function takeFrame(
  { path, seconds }: PlayableFile,
  at: number,
  target: string,
  { signal }: RunOptions,
) {
  await runFfmpeg(["-ss", at.toFixed(3), ...inputArguments(path), ...stillOutput(target)], seconds, {
    signal,
  });
}

/** Sheets of small pictures, and WebVTT that says where each is; `nameOf`: of a sheet, from 1. */
export async function makeSprites(
  folder: string,
  video: PlayableFile & { width: number; height: number },
  { nameOf, ...options }: RunOptions & { nameOf: (sheet: number) => string },
): Promise<{ sheets: Picture[]; vtt: string }> {
  const { seconds } = video;
  const every = spriteSeconds(seconds);
  const count = Math.max(1, Math.ceil(seconds / every));
  const height = spriteHeight(video);
  const still = `tpad=stop_mode=clone:stop_duration=${every}`;
  const filters = `${still},fps=1/${every}:round=up:start_time=0,scale=${SPRITE_WIDTH}:${height},tile=${Math.min(SPRITES_ACROSS, count)}x${spriteRows(seconds)}`;
  const sheetCount = Math.ceil(count / SPRITES_PER_SHEET);
  const output = ["-an", "-vf", filters, "-frames:v", String(sheetCount), "-c:v", "png", "-f", "image2"];
  // A picture every few seconds needs no other frames than the key frames.
  const input = ["-skip_frame", "nokey", ...inputArguments(video.path)];
  const run = { ...options, folder };
  await runFfmpeg([...input, ...output, "-progress", "pipe:1", "-y", "sheet-%d.png"], seconds, run);
  const sheets: Picture[] = [];
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

/** A moment has a whole number of pictures. */
const HOVER = { width: 320, moments: 6, seconds: 3, rate: 16, bits: 480_000 };

/** Three seconds of six moments, without sound; a shorter video is shown as it is. */
export async function makeHoverPreview(
  target: string,
  video: PlayableFile,
  { signal }: RunOptions,
): Promise<void> {
  const { seconds } = video;
  const length = HOVER.seconds / HOVER.moments;
  const isShort = seconds <= HOVER.seconds;
  const starts = isShort
    ? [0]
    : Array.from(
        { length: HOVER.moments },
        (_, index) => ((index + 0.5) / HOVER.moments) * seconds - length / 2,
      );
  const inputs = starts.flatMap((start) => [
    ...["-ss", start.toFixed(3), "-t", String(isShort ? HOVER.seconds : length)],
    ...inputArguments(video.path),
  ]);
  const pictures = HOVER.rate * length;
  // Each moment is read with a picture more or less than wanted, or with seconds more where pictures are rare.
  const cut = isShort ? "" : `:start_time=0,tpad=stop_mode=clone:stop=${pictures},trim=end_frame=${pictures}`;
  const parts = starts.map(
    (_, index) => `[${index}:v]scale=${HOVER.width}:-2,fps=${HOVER.rate}${cut},setsar=1[v${index}]`,
  );
  const joined = `${starts.map((_, index) => `[v${index}]`).join("")}concat=n=${starts.length}[v]`;
  const codecs = [
    ...["-map", "[v]", "-an", "-c:v", "libx264", "-preset", "veryfast", "-crf", "28", "-pix_fmt", "yuv420p"],
    ...["-maxrate", String(HOVER.bits), "-bufsize", String(HOVER.bits / 2), "-map_metadata", "-1"],
  ];
  const output = ["-movflags", "+faststart", "-f", "mp4", "-y", `file:${target}`];
  await runFfmpeg(
    [...inputs, "-filter_complex", [...parts, joined].join(";"), ...codecs, ...output],
    seconds,
    { signal },
  );
}
