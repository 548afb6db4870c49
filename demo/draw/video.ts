import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { config } from "#app/config.server.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import { DEMO_DIR, type DemoVideo, type LookName } from "#demo/seed/read-catalogue.server.ts";
import { composeScene, renderFrame } from "./render.ts";
import { between, seededRandom } from "./scenes/noise.ts";

const WIDTH = 640;
const HEIGHT = 360;
// All movement is slow and soft, so a fifth of the pixels and a third of the frames are enough.
const DRAWN = { width: 288, height: 162, framesPerSecond: 8 };
const FRAMES_PER_SECOND = 24;

/** Makes an H.264 and AAC video of the scene, with its own quiet chord. */
export async function makeVideo({ key, seconds }: DemoVideo, look: LookName): Promise<void> {
  await mkdir(join(DEMO_DIR, key), { recursive: true });
  const target = join(DEMO_DIR, key, fileNames.video(HEIGHT));
  const encoder = spawn(config.media.ffmpeg, encoderArguments(key, seconds, target), {
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(encoder, "exit");
  const scene = composeScene(look, key);
  const random = seededRandom(`${key} film grain`);
  for (let index = 0; index <= seconds * DRAWN.framesPerSecond; index++) {
    const time = index / DRAWN.framesPerSecond;
    const frame = renderFrame(scene, { ...DRAWN, time, grain: 0.004 }, random);
    if (!encoder.stdin.write(frame)) await once(encoder.stdin, "drain");
  }
  encoder.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code} for ${key}`);
}

function encoderArguments(key: string, seconds: number, target: string): string[] {
  const { width, height, framesPerSecond } = DRAWN;
  const picture =
    `framerate=fps=${FRAMES_PER_SECOND}:interp_start=0:interp_end=255:scene=100,` +
    `scale=${WIDTH}:${HEIGHT}:flags=bicubic,fade=t=in:d=0.6,fade=t=out:st=${seconds - 0.8}:d=0.8`;
  return [
    ...["-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", `${width}x${height}`],
    ...["-r", String(framesPerSecond), "-i", "-", "-f", "lavfi", "-i", chord(key, seconds)],
    ...["-vf", picture, "-af", `afade=t=in:d=2,afade=t=out:st=${seconds - 2.5}:d=2.5`, "-t", String(seconds)],
    ...["-c:v", "libx264", "-preset", "medium", "-crf", "25", "-pix_fmt", "yuv420p", "-threads", "1"],
    ...["-x264-params", "aq-mode=3:keyint=96", "-c:a", "aac", "-b:a", "64k", "-ar", "44100", "-ac", "2"],
    ...["-fflags", "+bitexact", "-map_metadata", "-1", "-movflags", "+faststart", target],
  ];
}

const CHORDS = [
  [0, 7, 12, 16, 19],
  [0, 7, 10, 15, 22],
  [0, 5, 12, 14, 21],
  [0, 7, 14, 16, 23],
];

/** Sine waves that swell one after another, slightly detuned between left and right. */
function chord(key: string, seconds: number): string {
  const random = seededRandom(`${key} chord`);
  const root = 82.4 * 2 ** (Math.floor(random() * 8) / 12);
  const steps = CHORDS[Math.floor(random() * CHORDS.length)] ?? [];
  const side = (detune: number) =>
    steps
      .map((step, index) => {
        const pitch = (root * 2 ** (step / 12) + detune).toFixed(3);
        const swell = `(0.55+0.45*sin(2*PI*t/${between(random, 5, 11).toFixed(2)}+${index}))`;
        return `${(0.09 / (1 + index * 0.35)).toFixed(3)}*${swell}*sin(2*PI*${pitch}*t)`;
      })
      .join("+");
  return `aevalsrc=exprs='${side(0)}|${side(0.6)}':s=44100:d=${seconds}`;
}
