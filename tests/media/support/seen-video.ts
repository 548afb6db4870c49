import { execFileSync } from "node:child_process";

/** Measures a video file as a viewer sees and hears it: from its decoded pictures and audio. */

const QUIET = ["-nostdin", "-hide_banner", "-loglevel", "error"];

export function decode(path: string, args: string[]): Buffer {
  return execFileSync("ffmpeg", [...QUIET, "-i", path, ...args, "-"], { maxBuffer: 512 * 1024 ** 2 });
}

/** The frame at `seconds`, as a PNG. */
export function frameAt(path: string, seconds: number): Buffer {
  return decode(path, ["-ss", String(seconds), "-frames:v", "1", "-f", "image2pipe", "-c:v", "png"]);
}

/** Where the brightest column of each frame is: a bar that moves to the right shows the order of frames. */
export function barPositions(path: string, width: number): number[] {
  const output = ["-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "gray"];
  const rows = decode(path, ["-vf", `scale=${width}:1:flags=area`, ...output]);
  return Array.from({ length: rows.length / width }, (_, frame) => {
    const row = rows.subarray(frame * width, (frame + 1) * width);
    const bright = [...row.keys()].filter((column) => (row[column] ?? 0) > 100);
    return mean(bright);
  });
}

/** Hertz, by counting how often the wave rises through zero. */
export function pitchOf(path: string): number {
  const rate = 16_000;
  const audio = decode(path, ["-map", "0:a:0", "-ac", "1", "-ar", String(rate), "-f", "s16le"]);
  const wave = new Int16Array(audio.buffer, audio.byteOffset, Math.floor(audio.length / 2));
  // The edges of an encoded tone are not clean.
  const middle = wave.subarray(Math.floor(wave.length / 4), Math.floor((wave.length * 3) / 4));
  let rises = 0;
  for (let index = 1; index < middle.length; index += 1) {
    if ((middle[index - 1] ?? 0) < 0 && (middle[index] ?? 0) >= 0) rises += 1;
  }
  return (rises * rate) / middle.length;
}

/** Frames that are combs of two moments, and all frames. */
export function combsOf(path: string): { combed: number; frames: number } {
  const log = execFileSync(
    "sh",
    ["-c", 'ffmpeg -nostdin -hide_banner -nostats -i "$1" -vf idet -f null - 2>&1', "sh", path],
    { encoding: "utf8" },
  );
  const [, tff = "0", bff = "0", whole = "0", unknown = "0"] =
    /.*Multi frame detection: TFF:\s*(\d+) BFF:\s*(\d+) Progressive:\s*(\d+) Undetermined:\s*(\d+)/s.exec(
      log,
    ) ?? [];
  return { combed: Number(tff) + Number(bff), frames: [tff, bff, whole, unknown].map(Number).reduce(sum) };
}

interface FileFacts {
  format: { duration: string };
  streams: Record<string, string | number | undefined>[];
}

export function factsOf(path: string): FileFacts {
  const flags = ["-v", "error", "-show_streams", "-show_format", "-of", "json"];
  return JSON.parse(execFileSync("ffprobe", [...flags, path], { encoding: "utf8" }));
}

function mean(values: number[]): number {
  return values.reduce(sum, 0) / values.length;
}

function sum(one: number, other: number): number {
  return one + other;
}

/** Copies a video so that players turn it by 90 degrees. ffmpeg before 6 knows no other way than the tag. */
export function turned(source: string, target: string): string {
  const copy = (input: string[], output: string[]) =>
    execFileSync(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-y", ...input, "-i", source, "-c", "copy", ...output, target],
      { stdio: "pipe" },
    );
  try {
    copy(["-display_rotation", "90"], []);
  } catch {
    copy([], ["-metadata:s:v", "rotate=90"]);
  }
  return target;
}
