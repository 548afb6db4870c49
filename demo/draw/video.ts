import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { config } from "#app/config.server.ts";
import { fileNames } from "#app/domain/media/renditions.ts";
import {
  DEMO_DIR,
  DEMO_SIZES,
  type DemoVideo,
  isLarge,
  type LookName,
} from "#demo/seed/read-catalogue.server.ts";
import { composeScene, renderFrame } from "./render.ts";
import { between, seededRandom } from "./scenes/noise.ts";

/** All movement is slow and soft, so at most a quarter of the pixels and a third of the frames are enough. */
const DRAWN = {
  large: { width: 960, height: 540, grain: 0.002, crf: 16 },
  small: { width: 288, height: 162, grain: 0.004, crf: 25 },
};
const DRAWN_FRAMES_PER_SECOND = 8;
const FRAMES_PER_SECOND = 24;

/** Makes an H.264 and AAC video of the scene in its best size, with its own quiet chord. */
export async function makeVideo(video: DemoVideo, look: LookName): Promise<void> {
  const { key, seconds } = video;
  await mkdir(join(DEMO_DIR, key), { recursive: true });
  const { width, height, grain } = isLarge(video) ? DRAWN.large : DRAWN.small;
  const encoder = spawn(config.media.ffmpeg, encoderArguments(video), {
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(encoder, "exit");
  const scene = composeScene(look, key);
  const random = seededRandom(`${key} film grain`);
  for (let index = 0; index <= seconds * DRAWN_FRAMES_PER_SECOND; index++) {
    const time = index / DRAWN_FRAMES_PER_SECOND;
    const frame = renderFrame(scene, { width, height, time, grain }, random);
    if (!encoder.stdin.write(frame)) await once(encoder.stdin, "drain");
  }
  encoder.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code} for ${key}`);
}

function encoderArguments(video: DemoVideo): string[] {
  const { key, seconds, sizes } = video;
  const { width, height, crf } = isLarge(video) ? DRAWN.large : DRAWN.small;
  const best = DEMO_SIZES[sizes[0]];
  const target = join(DEMO_DIR, key, fileNames.video(sizes[0]));
  const picture =
    `framerate=fps=${FRAMES_PER_SECOND}:interp_start=0:interp_end=255:scene=100,` +
    `scale=${best.width}:${best.height}:flags=bicubic,fade=t=in:d=0.6,fade=t=out:st=${seconds - 0.8}:d=0.8`;
  return [
    ...["-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", `${width}x${height}`],
    ...["-r", String(DRAWN_FRAMES_PER_SECOND), "-i", "-", "-f", "lavfi", "-i", chord(key, seconds)],
    ...["-vf", picture, "-af", `afade=t=in:d=2,afade=t=out:st=${seconds - 2.5}:d=2.5`, "-t", String(seconds)],
    ...["-c:v", "libx264", "-preset", "medium", "-crf", String(crf), "-pix_fmt", "yuv420p", "-threads", "1"],
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
